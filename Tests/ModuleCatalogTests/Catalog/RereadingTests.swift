import Foundation
import HostDriver
import TestSupport
import Testing

@testable import ModuleCatalog

/// A catalog in which only the changed files of a root are read again.
@Suite(.hangLimit)
struct RereadingTests {
    private let scratch: ScratchFolder
    private let root: Root

    init() throws {
        scratch = try ScratchFolder()
        root = Root(path: scratch.path, executableFolder: "/nonexistent")
        for file in ["Manifests/module.schema.json", "Plugins/notes.txt"] { try scratch.write("{}", to: file) }
    }

    private func text(_ module: Int, _ library: Int, _ route: Int) -> String {
        ManifestText("m\(module)", library: "lib\(library).so", routes: ["r\(route)"]).text
    }

    /// Returns a library that contains a manifest.
    private func packed(_ module: Int, _ library: Int, _ route: Int) async throws -> Data {
        let bytes = text(module, library, route).utf8.map(String.init).joined(separator: ",")
        let source = """
            __attribute__((section("\(EmbeddedManifest.section)"), used)) static const char text[] = {\(bytes)};
            int viper_entry_v1_One(void) { return 1; }
            """
        return Data(try await SmallLibrary(source: source, linksViperKit: false).bytes())
    }

    @Test("After any changes, reading only the changed files gives the same catalog as reading the root")
    func changes() async throws {
        var (numbers, shortcuts) = (SeededGenerator(seed: 7), 0)
        var catalog = try Catalog(reading: root)
        for step in 0..<400 {
            var files: Set<String> = []
            for _ in 0..<Int.random(in: 1...2, using: &numbers) {
                files.insert(try await change(&numbers))
            }
            let whole = try Catalog(reading: root)
            if let rereading = try catalog.rereading(files.union(["Plugins/notes.txt"]), in: root) {
                shortcuts += 1
                #expect(contents(rereading.catalog) == contents(whole), "step \(step), \(files)")
                let changed = zip(catalog.entries, whole.entries).filter { contents($0) != contents($1) }.map(\.0.file)
                #expect(rereading.modules.isSuperset(of: changed))
            }
            catalog = whole
        }
        #expect(shortcuts > 50)
    }

    /// Changes a random file, and returns its path in the root.
    private func change(_ numbers: inout SeededGenerator) async throws -> String {
        let (module, library) = (Int.random(in: 0...2, using: &numbers), Int.random(in: 0...2, using: &numbers))
        let route = Int.random(in: 0...1, using: &numbers)
        let isManifest = Bool.random(using: &numbers)
        let file = isManifest ? "Manifests/m\(module).json" : "Plugins/lib\(library).so"
        switch Int.random(in: 0...9, using: &numbers) {
        case 0: try? FileManager.default.removeItem(atPath: "\(root.path)/\(file)")
        case 1: try scratch.write("damaged", to: file)
        case 2 where isManifest: try scratch.write(text((module + 1) % 3, library, route), to: file)
        case _ where isManifest: try scratch.write(text(module, module, route), to: file)
        case _: try scratch.write(try await packed(library, library, route), to: file)
        }
        return file
    }

    private func contents(_ catalog: Catalog) -> [String] {
        catalog.entries.map(contents) + catalog.unreferencedLibraries
    }

    private func contents(_ entry: CatalogEntry) -> String { "\(entry.file) \(entry.manifest)" }

    @Test("A library that a manifest in the root names is not read again")
    func named() throws {
        try scratch.write(text(1, 1, 0), to: "Manifests/m1.json")
        try scratch.write("no library", to: "Plugins/lib1.so")
        let rereading = try Catalog(reading: root).rereading(["Plugins/lib1.so"], in: root)
        #expect(rereading?.modules == ["Manifests/m1.json"])
        let others: Set = ["Plugins/.lib1.so", "Plugins/x/lib1.so", "Manifests/module.schema.json", "/other.json", ""]
        #expect(try Catalog(reading: root).rereading(others, in: root)?.modules == [])
    }

    @Test("The whole root is read if a changed file has several names, or was renamed or removed")
    func otherNames() throws {
        for number in 1...2 { try scratch.write(text(number, number, number), to: "Manifests/m\(number).json") }
        try scratch.write("no library", to: "Plugins/lib1.so")
        let catalog = try Catalog(reading: root)
        #expect(try catalog.rereading(["Plugins/lib1.so"], in: root) != nil)
        // The name of a file that was opened with O_TMPFILE, and of a file that another name has replaced.
        for gone in ["Manifests/#4711", "Manifests/m1.new"] {
            #expect(try catalog.rereading([gone], in: root) == nil)
        }
        try FileManager.default.linkItem(
            atPath: "\(root.path)/Plugins/lib1.so", toPath: "\(root.path)/Plugins/lib2.so")
        for name in ["lib1.so", "lib2.so"] { #expect(try catalog.rereading(["Plugins/\(name)"], in: root) == nil) }
    }

    @Test("A manifest is read again if its name begins with a combining mark")
    func combiningMark() throws {
        let file = "Manifests/\u{301}x.json"
        try scratch.write(text(1, 1, 1), to: file)
        let catalog = try Catalog(reading: root)
        try scratch.write(text(1, 1, 0), to: file)
        let rereading = try catalog.rereading([file], in: root)
        #expect(rereading?.modules == [file])
        #expect(rereading.map { contents($0.catalog) } == contents(try Catalog(reading: root)))
    }
}
