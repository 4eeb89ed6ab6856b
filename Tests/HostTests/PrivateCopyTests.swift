import Foundation
import Glibc
import TestSupport
import Testing

/// A host runs private copies of libraries: what happens to the files that people copy does not reach it.
@Suite(.fewAtOnce)
struct PrivateCopyTests {
    private func makeRoot() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.hold, .hold)
        return root
    }

    private func leftovers(_ root: ScratchRoot) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.temporary).sorted()
    }

    @Test(
        "a library that is cut off, overwritten or removed after it was loaded goes on working",
        arguments: ["shrink", "overwrite", "remove"])
    func changed(how: String) async throws {
        let root = try await makeRoot()
        let library = root.path + "/Plugins/libHold.so"
        let before = try Data(contentsOf: URL(filePath: library))
        let result = try await root.host("run", "hold/\(how)", environment: ["HOLD": library])
        #expect(result.ending == .code(0))
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
        #expect(result.errors == "")
        // The module has really done it.
        #expect((try? Data(contentsOf: URL(filePath: library))) != before)
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    @Test("the library beside the executable may change as well")
    func bundled() async throws {
        let host = try await BareHost()
        let library = host.folder + "/libHold.so"
        try FileManager.default.copyItem(atPath: await ModuleFixture.hold.compiled(), toPath: library)
        let root = try ScratchRoot(executable: host.executable)
        try root.add(.hold)
        let result = try await root.host("run", "hold/shrink", environment: ["HOLD": library])
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
    }

    @Test("nothing is left below TMPDIR when a host ends, well or badly")
    func removed() async throws {
        let root = try await makeRoot()
        _ = try await root.host("run", "list")
        #expect(try leftovers(root) == [])
        let failed = try await root.host("run", "list", "--press", "nothing")
        #expect(failed.ending == .code(64))
        #expect(try leftovers(root) == [])
    }

    @Test("what a killed host left is removed by the next one that loads a module")
    func killed() async throws {
        let root = try await makeRoot()
        let killed = try await root.host("run", "hold/die")
        #expect(killed.ending == .signal(SIGKILL))
        let left = try leftovers(root)
        #expect(left.count == 1)
        let folder = root.temporary + "/" + (try #require(left.first))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)

        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try leftovers(root) == [])
    }

    @Test("a host that still runs keeps its folder while others come and go")
    func living() async throws {
        let root = try await makeRoot()
        let pipe = root.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        async let held = root.host("run", "hold/wait", environment: ["HOLD": pipe])
        // Opening fails with ENXIO until the module waits at the other end.
        var writer: Int32 = -1
        let isWaiting = await eventually {
            writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0
        }
        try #require(isWaiting, "the module never waited")
        let during = try leftovers(root)
        #expect(during.count == 1)
        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try leftovers(root) == during)
        #expect(write(writer, "x", 1) == 1)
        close(writer)
        let result = try await held
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
        #expect(try leftovers(root) == [])
    }

    @Test("what others have put below TMPDIR under such a name stays")
    func strangers() async throws {
        let root = try await makeRoot()
        let own = "viper-host-\(getuid())-"
        try root.folder.write("a file", to: "tmp/\(own)file")
        let elsewhere = root.folder.path + "/elsewhere"
        try root.folder.write("precious", to: "elsewhere/file")
        try FileManager.default.createSymbolicLink(
            atPath: root.temporary + "/\(own)link", withDestinationPath: elsewhere)
        try root.folder.write("another user's", to: "tmp/viper-host-4242424-abcdef/file")
        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try leftovers(root) == ["viper-host-4242424-abcdef", "\(own)file", "\(own)link"].sorted())
        #expect(try String(contentsOfFile: elsewhere + "/file", encoding: .utf8) == "precious")
    }

    @Test("a TMPDIR that cannot be used is an error that names it")
    func noTemporaryFolder() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("run", "list", environment: ["TMPDIR": "/nonexistent"])
        #expect(result.ending == .code(71))
        #expect(result.text == "")
        #expect(
            result.errors == """
                host: cannot make a folder in "/nonexistent": No such file or directory
                  to mend  set TMPDIR to a folder that can be written

                """)
        #expect(try await root.host("modules", environment: ["TMPDIR": "/nonexistent"]).ending == .code(0))
    }
}
