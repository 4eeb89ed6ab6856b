import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Modules whose manifest and resources are in their library.
@Suite(.fewAtOnce, .hangLimit)
struct PackedResourcesTests {
    private let root: ScratchRoot
    private var library: String { "\(root.path)/Plugins/libShelf.so" }
    private var files: String { "\(root.folder.path)/files" }

    init() throws { root = try ScratchRoot() }

    private static let missing = "file-missing: it does not exist"

    /// Packs the fixture beside the root, and returns the path of its library.
    private func packed(
        _ version: String = "1", isolation: String = "none", one: String = "first", two: String = "second"
    ) async throws -> String {
        try root.folder.write(one, to: "files/one.txt")
        try root.folder.write(two, to: "files/deep/two.txt")
        let copy = "\(root.folder.path)/libShelf.so"
        try copyFile(await ModuleFixture.shelf(version).compiled(), to: copy)
        let manifest = try root.folder.write(
            ManifestText.shelf("\(version).0.0", isolation: isolation), to: "shelf.json")
        let result = try await root.host("pack", copy, manifest, "--resources", files) { child in
            child.arguments.removeLast(2)
        }
        try #require(
            result.text == "Packed the manifest and 2 resources of shelf \(version).0.0 into \(copy)\n", "\(result)")
        return copy
    }

    private func drop(_ path: String) throws { try #require(rename(path, library) == 0) }

    @Test("One dropped file is the module with its resources, in the host's process and in a worker")
    func oneFile() async throws {
        try drop(try await packed())
        for isolation in [[], ["--isolate", "shelf"]] {
            let result = try await root.host("run", "shelf") { $0.arguments += isolation }
            #expect(result.text.hasPrefix("Shelf 1\nfirst; second; \(Self.missing)\n"), "\(result)")
            #expect(result.errors == "", "\(result)")
        }
        let checks = try await root.host("test", "shelf")
        #expect(checks.ending == .code(0), "\(checks)")
        let report = try await root.host("inspect", library) { $0.arguments.removeLast(2) }
        #expect(report.text.contains("one.txt, 5 bytes") && report.text.contains("deep/two.txt, 6 bytes"), "\(report)")
    }

    @Test("Packed resources take precedence over a folder, and a folder serves a library without them")
    func precedence() async throws {
        try root.folder.write("from the folder", to: "root/Plugins/Shelf/Resources/one.txt")
        try drop(try await packed())
        let result = try await root.host("run", "shelf")
        #expect(result.text.hasPrefix("Shelf 1\nfirst; second;"), "\(result)")
        let verbose = try await root.host("run", "shelf", "--verbose")
        let folder = "\(root.path)/Plugins/Shelf/Resources"
        let note = "Plugins/libShelf.so: libShelf.so contains its resources; the folder \(folder) is not used\n"
        #expect(verbose.errors.contains(note), "\(verbose)")
        try root.add(manifest: ManifestText.shelf(), as: "shelf.json")
        #expect(try await root.host("run", "shelf").text.contains("first; second;"))
        try FileManager.default.removeItem(atPath: library)
        try await root.copy(ModuleFixture.shelf().compiled(), to: "libShelf.so")
        #expect(try await root.host("run", "shelf").text.contains("from the folder; \(Self.missing);"))
        // The folders of --data come first.
        try root.folder.write("from data", to: "data/deep/two.txt")
        let data = try await root.host("run", "shelf", "--data", "\(root.folder.path)/data")
        #expect(data.text.contains("from the folder; from data;"), "\(data)")
    }

    @Test("Each scene keeps the resources of its own version, in the host's process and in a worker")
    func replacement() async throws {
        for isolation in ["none", "process"] {
            try drop(try await packed(isolation: isolation))
            let host = try await ServingHost(root)
            let client = try host.client()
            #expect(try await client.call("open", #"{"route":"shelf"}"#).contains("first; second"))
            try drop(try await packed("2", isolation: isolation, one: "newer"))
            let isReplaced = try await eventually {
                try await client.call("modules").contains(#""version":"2.0.0""#)
            }
            #expect(isReplaced)
            #expect(try await client.call("event", #"{"scene":1,"event":{"press":"again"}}"#).contains("Shelf 1"))
            #expect(try await client.call("event", #"{"scene":1,"event":{"press":"again"}}"#).contains("first; second"))
            let second = try await client.call("open", #"{"route":"shelf"}"#)
            #expect(second.contains("Shelf 2") && second.contains("newer; second"), "\(second)")
            host.send(SIGTERM)
            #expect(try await host.end() == .code(0))
        }
    }

    @Test("Packing again replaces the resources, and a library without resources has none afterwards")
    func repack() async throws {
        let copy = try await packed(two: String(repeating: "x", count: 100_000))
        let size = try Data(contentsOf: URL(filePath: copy)).count
        let manifest = "\(root.folder.path)/shelf.json"
        try root.folder.write("short", to: "files/deep/two.txt")
        func pack(_ options: String...) async throws -> ChildResult {
            try await root.host("pack", copy, manifest) { child in
                child.arguments.removeLast(2)
                child.arguments += options
            }
        }
        #expect(try await pack("--resources", files).ending == .code(0))
        #expect(try Data(contentsOf: URL(filePath: copy)).count < size - 90_000)
        let none = try await pack()
        #expect(none.ending == .code(78), "\(none)")
        #expect(none.errors.contains("it declares resources, and \(root.folder.path)/Shelf/Resources is not a folder"))
        let text = ManifestText.shelf().replacingOccurrences(of: #""resources": "Shelf/Resources","#, with: "")
        try root.folder.write(text, to: "shelf.json")
        let undeclared = try await pack("--resources", files)
        #expect(undeclared.ending == .code(78) && undeclared.errors.contains("it declares no resources"))
        #expect(try await pack().ending == .code(0))
        try drop(copy)
        #expect(try await root.host("run", "shelf").text.contains("\(Self.missing); \(Self.missing);"))
    }

    @Test("A file that is not the packed one is refused, and the others are read")
    func damaged() async throws {
        var bytes = try Data(contentsOf: URL(filePath: try await packed()))
        bytes[bytes.count - 1] ^= 1
        try root.add(library: bytes, as: "libShelf.so")
        let result = try await root.host("run", "shelf")
        // The last content in the file is that of one.txt.
        #expect(
            result.text.contains("file-unreadable: its content differs from the packed one; second;"), "\(result)")
    }

    @Test("A library that ends within its resources is refused, and other modules work")
    func truncated() async throws {
        let bytes = try Data(contentsOf: URL(filePath: try await packed()))
        for count in [1, 11, 12, 40] {
            try root.add(library: bytes.dropLast(count), as: "libShelf.so")
            let modules = try await root.host("modules")
            #expect(
                modules.text.contains("cannot load library \"libShelf.so\": it is truncated: its packed resources end"),
                "\(modules)")
            #expect(modules.text.contains("fix: copy the complete library again"), "\(modules)")
            #expect(try await root.host("run", "shelf").ending == .code(78))
            #expect(try await root.host("run", "list").text == RunTests.list)
        }
        try root.add(library: bytes + [0], as: "libShelf.so")
        #expect(try await root.host("modules").text.contains("they are not at the end of the file"))
    }

    @Test("Resources that lead out of their folder, or are no files, are not packed")
    func strangeFiles() async throws {
        let copy = try await packed()
        let before = try Data(contentsOf: URL(filePath: copy))
        try root.folder.write("secret", to: "secret.txt")
        let link = "\(files)/link.txt"
        for (target, cause) in [
            ("../secret.txt", "a symbolic link leads out of the folder"), ("deep", "it is not a regular file"),
            ("nowhere", "No such file or directory"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let result = try await root.host("pack", copy, "\(root.folder.path)/shelf.json", "--resources", files) {
                $0.arguments.removeLast(2)
            }
            #expect(result.errors.contains("cannot pack file \"\(files)/link.txt\": \(cause)\n"), "\(result)")
            #expect(result.ending == .code(78) && result.text == "")
            try FileManager.default.removeItem(atPath: link)
        }
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    }

    @Test("Resources take no memory, and no space in the private copy")
    func large() async throws {
        let size = 48 << 20
        try drop(try await packed())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"shelf"}"#).contains("first; second"))
        let before = try peakMemory(of: host)
        try root.folder.write(Data(count: size), to: "files/large.bin")
        let copy = "\(root.folder.path)/libShelf.so"
        try copyFile(await ModuleFixture.shelf("2").compiled(), to: copy)
        let packed = try await root.host("pack", copy, "\(root.folder.path)/shelf.json", "--resources", files) {
            $0.arguments.removeLast(2)
        }
        #expect(packed.ending == .code(0), "\(packed)")
        try drop(copy)
        try await client.wait("open", #"{"route":"shelf"}"#, for: "Shelf 2")
        #expect(try peakMemory(of: host) - before < size / 2)
        let folder = "\(root.temporary)/\(try FileManager.default.contentsOfDirectory(atPath: root.temporary)[0])"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix("libShelf.so") {
            var status = stat()
            try #require(lstat("\(folder)/\(name)", &status) == 0)
            #expect(Int(status.st_blocks) * 512 < size / 2, "\(name)")
        }
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    /// Returns the largest amount of memory that a host has had, in bytes.
    private func peakMemory(of host: ServingHost) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(host.process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
    }
}
