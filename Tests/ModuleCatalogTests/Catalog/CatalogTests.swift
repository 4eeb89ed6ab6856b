import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// The contents of a root, read without running module code.
struct CatalogTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var catalog: Catalog {
        get throws { try Catalog(reading: Root(path: folder.path, executableFolder: "/nonexistent")) }
    }

    private func names(_ catalog: Catalog) -> [String] { catalog.entries.compactMap { try? $0.manifest.get().name } }

    private func refusal(_ file: String) throws -> ViperError {
        let entry = try #require(try catalog.entries.first { $0.file == "Manifests/\(file)" })
        let error = try #require(entry.manifest.failure)
        #expect(error.code == .manifestInvalid)
        return error
    }

    @Test("Only manifests are read; schemas, hidden files and other names are ignored")
    func ignored() throws {
        try folder.write(manifestText("good"), to: "Manifests/good.json")
        for name in ["module.schema.json", ".hidden.json", "notes.txt", "x.json.bak", "json"] {
            try folder.write("no manifest", to: "Manifests/\(name)")
        }
        #expect(try catalog.entries.map(\.file) == ["Manifests/good.json"])
        #expect(names(try catalog) == ["good"])
    }

    @Test("A file name that is not valid UTF-8 is reported as such, also that of a library")
    func invalidNames() async throws {
        try folder.write(manifestText("good"), to: "Manifests/good.json")
        try folder.write("", to: "Plugins/libA.so")
        let script = "cp good.json $'a\\xff.json'; mv ../Plugins/libA.so $'../Plugins/lib\\xff.so'"
        let result = try await ChildProcess("bash", ["-c", "cd \(folder.path)/Manifests; \(script)"]).run()
        try #require(result.ending == .code(0), "\(result)")
        let error = try refusal("a\u{FFFD}.json")
        #expect(error.cause == "its name is not valid UTF-8" && error.fix == "rename it")
        let library = try #require(try catalog.entries.first { $0.file == "Plugins/lib\u{FFFD}.so" })
        #expect(library.manifest.failure?.cause == "its name is not valid UTF-8")
        #expect(names(try catalog) == ["good"])
    }

    @Test("Manifests whose names differ only in their Unicode form are refused")
    func unicodeForms() throws {
        for name in ["good", "\u{E9}", "e\u{301}"] {
            try folder.write(manifestText("good"), to: "Manifests/\(name).json")
        }
        #expect(try catalog.entries.map(\.file) == ["Manifests/good.json", "Manifests/\u{E9}.json"])
        #expect(try refusal("\u{E9}.json").cause == "another file has the same name in another Unicode form")
    }

    @Test("Entries are sorted by file name, not by module name")
    func order() throws {
        for (file, name) in [("b", "x"), ("a", "y"), ("c", "w")] {
            try folder.write(manifestText(name), to: "Manifests/\(file).json")
        }
        #expect(names(try catalog) == ["y", "x", "w"])
    }

    @Test("An invalid manifest is refused, and valid manifests stay available")
    func oneBad() throws {
        try folder.write("{", to: "Manifests/a.json")
        try folder.write(manifestText("good"), to: "Manifests/b.json")
        try folder.write("", to: "Manifests/c.json")
        let catalog = try catalog
        #expect(catalog.entries.map { $0.manifest.failure == nil } == [false, true, false])
        #expect(try refusal("a.json").subject == "Manifests/a.json:1:2")
        #expect(try refusal("c.json").cause == "expected a value, found the end of the text")
    }

    @Test("A root without the folders Manifests and Plugins is empty")
    func missing() throws {
        #expect(try catalog.entries.isEmpty)
        #expect(try catalog.unreferencedLibraries.isEmpty)
    }

    @Test("Libraries that no manifest names are unreferenced; hidden and other files are ignored")
    func stray() throws {
        try folder.write(manifestText("known"), to: "Manifests/known.json")
        for name in ["libz.so", "libknown.so", "liba.so", ".libh.so", "readme.md", "lib.so.1"] {
            try folder.write("", to: "Plugins/\(name)")
        }
        try folder.write("", to: "Plugins/Known/Resources/libinner.so")
        #expect(try catalog.unreferencedLibraries == ["liba.so", "libz.so"])
    }

    @Test("A library that only a refused manifest names is unreferenced")
    func strayOfRefused() throws {
        try folder.write("{\"library\": \"liba.so\"}", to: "Manifests/a.json")
        try folder.write("", to: "Plugins/liba.so")
        #expect(try catalog.unreferencedLibraries == ["liba.so"])
    }

    @Test("A folder with a manifest's name is refused")
    func directory() throws {
        try folder.write("", to: "Manifests/x.json/inner")
        let error = try refusal("x.json")
        #expect(error.subject == "Manifests/x.json")
        #expect(error.cause == "it is not a regular file")
    }

    @Test("A named pipe with a manifest's name is refused without waiting for a writer", .hangLimit)
    func pipe() throws {
        try folder.write(manifestText("good"), to: "Manifests/good.json")
        try #require(mkfifo("\(folder.path)/Manifests/x.json", 0o600) == 0)
        #expect(try refusal("x.json").cause == "it is not a regular file")
        #expect(names(try catalog) == ["good"])
    }

    @Test("A device with a manifest's name is refused")
    func device() throws {
        try folder.write(manifestText("good"), to: "Manifests/good.json")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/Manifests/x.json", withDestinationPath: "/dev/zero")
        #expect(try refusal("x.json").cause == "it is not a regular file")
    }

    @Test("Broken and circular symbolic links are refused with the system's error")
    func links() throws {
        try folder.write(manifestText("good"), to: "Manifests/good.json")
        for (name, target) in [("gone", "nowhere"), ("loop", "loop.json")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/Manifests/\(name).json", withDestinationPath: target)
        }
        #expect(try refusal("gone.json").cause == "No such file or directory")
        #expect(try refusal("loop.json").cause == "Too many levels of symbolic links")
        #expect(names(try catalog) == ["good"])
    }

    @Test("A manifest of 1 MiB is read, and a larger one is refused")
    func large() throws {
        let text = manifestText("large")
        let padding = String(repeating: " ", count: (1 << 20) - text.utf8.count)
        try folder.write(text + padding, to: "Manifests/a.json")
        try folder.write(text + padding + " ", to: "Manifests/b.json")
        #expect(names(try catalog) == ["large"])
        #expect(try refusal("b.json").cause == "it has 1048577 bytes, more than the limit of 1048576")
        #expect(try refusal("b.json").fix == "shorten its texts, or split the module")
    }
}
