import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The private copies of libraries that a host runs. Changes of the original files do not affect the host.
@Suite(.fewAtOnce)
struct PrivateCopyTests {
    private func makeRoot() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.hold, .hold)
        return root
    }

    @Test(
        "A library that is truncated, overwritten or removed after loading keeps working",
        arguments: ["shrink", "overwrite", "remove"])
    func changed(how: String) async throws {
        let root = try await makeRoot()
        let library = root.path + "/Plugins/libHold.so"
        let before = try Data(contentsOf: URL(filePath: library))
        let result = try await root.host("run", "hold/\(how)", environment: ["HOLD": library])
        #expect(result.ending == .code(0))
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
        #expect(result.errors == "")
        #expect((try? Data(contentsOf: URL(filePath: library))) != before)
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    @Test("A library beside the executable may be truncated after loading")
    func bundled() async throws {
        let host = try await BareHost()
        let library = host.folder + "/libHold.so"
        try FileManager.default.copyItem(atPath: await ModuleFixture.hold.compiled(), toPath: library)
        let root = try ScratchRoot(executable: host.executable)
        try root.add(.hold)
        let result = try await root.host("run", "hold/shrink", environment: ["HOLD": library])
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
    }

    @Test("A host leaves nothing in TMPDIR, whether it succeeds or fails")
    func removed() async throws {
        let root = try await makeRoot()
        _ = try await root.host("run", "list")
        #expect(try root.temporaryFolders() == [])
        let failed = try await root.host("run", "list", "--press", "nothing")
        #expect(failed.ending == .code(64))
        #expect(try root.temporaryFolders() == [])
    }

    @Test("The next host that loads a module removes the leftovers of a killed host")
    func killed() async throws {
        let root = try await makeRoot()
        let killed = try await root.host("run", "hold/die")
        #expect(killed.ending == .signal(SIGKILL))
        let left = try root.temporaryFolders()
        #expect(left.count == 1)
        let folder = root.temporary + "/" + (try #require(left.first))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)

        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A running host keeps its folder while another host runs")
    func living() async throws {
        let root = try await makeRoot()
        let pipe = root.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        async let held = root.host("run", "hold/wait", environment: ["HOLD": pipe])
        // Opening fails with ENXIO until the module has opened the other end.
        var writer: Int32 = -1
        let isWaiting = await eventually {
            writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0
        }
        try #require(isWaiting, "the module never waited")
        let during = try root.temporaryFolders()
        #expect(during.count == 1)
        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try root.temporaryFolders() == during)
        #expect(write(writer, "x", 1) == 1)
        close(writer)
        let result = try await held
        #expect(result.text == "Held\nresult 0, sum 41\n", "\(result)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("Files and links in TMPDIR with a host's prefix stay, and so do folders of other users")
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
        #expect(try root.temporaryFolders() == ["viper-host-4242424-abcdef", "\(own)file", "\(own)link"].sorted())
        #expect(try String(contentsOfFile: elsewhere + "/file", encoding: .utf8) == "precious")
    }

    @Test("An unusable TMPDIR is an error that names it")
    func noTemporaryFolder() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("run", "list", environment: ["TMPDIR": "/nonexistent"])
        #expect(result.ending == .code(71))
        #expect(result.text == "")
        #expect(
            result.errors == """
                host: cannot create a folder in "/nonexistent": No such file or directory
                  fix: set TMPDIR to a writable folder

                """)
        #expect(try await root.host("modules", environment: ["TMPDIR": "/nonexistent"]).ending == .code(0))
    }
}
