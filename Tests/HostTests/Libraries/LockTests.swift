import Foundation
import HostDriver
import TestSupport
import Testing

/// `host lock`, and what a host loads while its root has a lock.
@Suite(.fewAtOnce)
struct LockTests {
    private struct Lock: Decodable {
        struct Entry: Decodable, Equatable {
            var version: String
            var library: String
            var sha256: String
        }
        var modules: [String: Entry]
    }

    private let root: ScratchRoot
    private let manifest = ManifestText("version", library: "libVersion.so", routes: ["version"])
    private var file: String { "\(root.path)/Manifests/modules.lock" }

    init() async throws {
        root = try ScratchRoot()
        try await root.add(.version("1"), manifest)
    }

    private func install(_ version: String) async throws {
        let new = root.folder.path + "/new.so"
        try copyFile(await ModuleFixture.version(version).compiled(), to: new)
        #expect(rename(new, "\(root.path)/Plugins/libVersion.so") == 0)
    }

    private func sum() async throws -> String {
        let sum = try await ChildProcess("sha256sum", ["\(root.path)/Plugins/libVersion.so"]).run()
        return String(sum.text.prefix(64))
    }

    @Test("The lock has the version, the library and the SHA-256 of each module, and is replaced as a whole")
    func written() async throws {
        let shown = try await root.host("lock")
        #expect(shown.ending == .code(0) && shown.errors == "", "\(shown)")
        let lock = try JSONDecoder().decode(Lock.self, from: Data(contentsOf: URL(filePath: file)))
        #expect(Set(lock.modules.keys) == ["company-list", "version"])
        #expect(lock.modules["version"] == .init(version: "1.0.0", library: "libVersion.so", sha256: try await sum()))
        #expect(shown.text.contains("version       1.0.0    libVersion.so      \(try await sum())\n"), "\(shown)")
        let json = try await root.host("lock", "--format", "json")
        #expect(try json.output == Data(contentsOf: URL(filePath: file)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Manifests").count == 3)
    }

    @Test("With a lock, another library is refused until its entry is updated; other modules keep working")
    func refused() async throws {
        _ = try await root.host("lock")
        #expect(try await root.host("run", "version").text.hasPrefix("1"))
        let old = try await sum()
        try await install("2")
        let refused = try await root.host("run", "version")
        #expect(refused.ending == .code(78))
        #expect(
            refused.errors == """
                host: cannot load library "libVersion.so": it is not the library that Manifests/modules.lock names
                  locked  1.0.0, SHA-256 \(old)
                  found   1.0.0, SHA-256 \(try await sum())
                  fix: if you trust this library, run host lock --update version

                """)
        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try await root.host("modules").text.contains("version       1.0.0    refused"))
        #expect(try await root.host("check").ending == .code(1))
        #expect(try await root.host("test", "version").ending == .code(1))
        let updated = try await root.host("lock", "--update", "version")
        #expect(updated.ending == .code(0) && !updated.text.contains("company-list"), "\(updated)")
        #expect(try await root.host("run", "version").text.hasPrefix("2"))
    }

    @Test("A module that the lock does not name is refused, and one that was removed leaves the lock")
    func unnamed() async throws {
        _ = try await root.host("lock")
        try root.copyManifest("details")
        let refused = try await root.host("run", "details", "title=x")
        #expect(refused.ending == .code(78), "\(refused)")
        #expect(refused.errors.contains("\": Manifests/modules.lock does not name the module\n"), "\(refused)")
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        #expect(try await root.host("lock", "--update", "version").ending == .code(0))
        let lock = try JSONDecoder().decode(Lock.self, from: Data(contentsOf: URL(filePath: file)))
        #expect(Set(lock.modules.keys) == ["company-list"])
        let unknown = try await root.host("lock", "--update", "version")
        #expect(unknown.ending == .code(69) && unknown.errors.contains("no module has this name"), "\(unknown)")
    }

    @Test("An invalid lock allows no library, and a missing one cannot be updated")
    func invalid() async throws {
        let missing = try await root.host("lock", "--update", "version")
        #expect(
            missing.ending == .code(78) && missing.errors.contains("it does not exist\n  fix: write it"), "\(missing)")
        try "{".write(toFile: file, atomically: true, encoding: .utf8)
        let refused = try await root.host("run", "list")
        #expect(refused.ending == .code(78), "\(refused)")
        #expect(refused.errors.hasPrefix("host: cannot use lock \"Manifests/modules.lock:1:2\": "), "\(refused)")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/nowhere")
        #expect(try await root.host("run", "list").errors.hasPrefix("host: cannot use lock "))
        #expect(try await root.host("lock").ending == .code(0))
        #expect(try await root.host("run", "list").ending == .code(0))
    }

    @Test("A serving host keeps its version while the lock refuses a new one, and takes it when the lock allows it")
    func live() async throws {
        _ = try await root.host("lock")
        let host = try await ServingHost(root)
        func title() async throws -> String {
            let run = ChildProcess(
                root.executable, ["run", "version", "--via", host.socket], environment: root.environment)
            return String(try await run.run().text.prefix(1))
        }
        #expect(try await title() == "1")
        try await install("2")
        #expect(await eventually { host.log.contains("it is not the library that Manifests/modules.lock names") })
        #expect(try await title() == "1")
        #expect(try await root.host("lock", "--update", "version").ending == .code(0))
        #expect(await eventually { (try? await title()) == "2" })
    }
}
