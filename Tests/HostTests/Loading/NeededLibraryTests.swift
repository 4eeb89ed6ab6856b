import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Libraries that a module's library needs. Their constructors run in the host, so nobody but trusted users may change
/// them. Ordinary ways of installing them work.
@Suite(.fewAtOnce, .hangLimit, .needs(.strangers))
struct NeededLibraryTests {
    /// A developer who has installed a toolchain or Homebrew. The account need not exist.
    private static let developer: uid_t = 1000

    private func give(_ path: String, to user: uid_t) async throws {
        let result = try await ChildProcess("chown", ["-hR", "\(user):\(user)", path]).run()
        try #require(result.ending == .code(0), "\(result)")
    }

    /// Installs a library in a folder. Its constructor prints TRAP.
    private func install(in folder: String) async throws {
        let library = CLibraryFixture(
            "libNeeded.so",
            """
            extern long write(int, const void *, unsigned long);
            int needed(void) { return 1; }
            __attribute__((constructor)) static void start(void) { write(2, "TRAP\\n", 5); }
            """, flags: ["-Wl,-soname,libNeeded.so"])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await copyFile(library.compiled(), to: "\(folder)/libNeeded.so")
    }

    /// Returns the module `version`, which needs the library in a folder.
    private func module(needing folder: String) -> ModuleFixture {
        var module = ModuleFixture.version("1")
        module.cSource = "extern int needed(void); __attribute__((constructor)) static void start(void) { needed(); }"
        module.flags = ["-L", folder, "-lNeeded", "-Xlinker", "-rpath", "-Xlinker", folder]
        return module
    }

    /// Installs the library in a folder, and returns a root with a module that needs it.
    private func root(needing folder: String) async throws -> ScratchRoot {
        try await install(in: folder)
        let root = try ScratchRoot()
        try await root.add(module(needing: folder), .version())
        return root
    }

    private func run(
        _ program: String, _ arguments: [String], in root: ScratchRoot, as user: uid_t
    ) async throws -> ChildResult {
        let home = "\(root.folder.path)/home-\(user)"
        try FileManager.default.createDirectory(atPath: "\(home)/tmp", withIntermediateDirectories: true)
        try await give(home, to: user)
        var child = Stranger.program(program, arguments, as: user)
        child.environment.merge(["HOME": home, "TMPDIR": "\(home)/tmp"]) { $1 }
        return try await child.run()
    }

    @Test("A stranger's library is neither loaded nor tried, unless the user has chosen it")
    func stranger() async throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/needed"
        let root = try await root(needing: folder)
        let passed = try await root.host("run", "version")
        #expect(passed.ending == .code(0) && passed.errors == "TRAP\n", "\(passed)")
        try await give("\(folder)/libNeeded.so", to: Stranger.user)
        let cause =
            "user 54321, who is not trusted, owns \(folder)/libNeeded.so (owner 54321, mode 755); trusted users: 0"
        for arguments in [["run", "version"], ["run", "version", "--isolate", "version"], ["test", "version"]] {
            let result = try await root.host { $0.arguments = arguments + $0.arguments }
            #expect(result.ending != .code(0), "\(result)")
            #expect((result.text + result.errors).contains(cause), "\(result)")
            #expect(!(result.text + result.errors).contains("TRAP"), "\(result)")
        }
        let modules = try await root.host("modules")
        #expect(modules.text.contains(cause), "\(modules)")
        let allowed = try await root.host("run", "version", "--trust-permissions")
        #expect(allowed.ending == .code(0) && allowed.errors.contains("warning: \(cause)"), "\(allowed)")
        let chosen = try await root.host("run", "version", environment: ["LD_LIBRARY_PATH": folder])
        #expect(chosen.ending == .code(0) && chosen.errors == "TRAP\n", "\(chosen)")
    }

    @Test("A folder that a stranger makes beside the private copies keeps no module from being loaded")
    func folderOfStranger() async throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/needed"
        try await install(in: folder)
        var module = module(needing: folder)
        module.flags = ["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN"] + module.flags
        let root = try ScratchRoot()
        try await root.add(module, .version())
        for name in ["viper-host", "viper-host-\(getuid())-"] {
            let path = "\(root.temporary)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try await give(path, to: Stranger.user)
        }
        for command in [["run", "version"], ["check"]] {
            let result = try await root.host { $0.arguments = command + $0.arguments }
            #expect(!(result.text + result.errors).contains("is not trusted"), "\(result)")
        }
    }

    @Test("A serving host keeps a module whose new version needs a stranger's library")
    func replacement() async throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/needed"
        try await install(in: folder)
        try await give(folder, to: Stranger.user)
        let root = try ScratchRoot()
        try await root.add(.version("old"), .version())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"old""#))
        try await copyFile(module(needing: folder).compiled(), to: "\(root.path)/new")
        try #require(rename("\(root.path)/new", "\(root.path)/Plugins/libVersion.so") == 0)
        try await host.wait(forLog: "user 54321, who is not trusted, owns \(folder) ")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"old""#))
        #expect(!host.log.contains("TRAP"))
    }

    @Test("A toolchain of the developer who has built the host passes, also for root")
    func toolchain() async throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/toolchain/lib"
        let root = try await root(needing: folder)
        try await give("\(scratch.path)/toolchain", to: Self.developer)
        let host = try await BareHost()
        let arguments = ["run", "version", "--root", root.path]
        let refused = try await run(host.executable, arguments, in: root, as: 0)
        #expect(refused.errors.contains("user 1000, who is not trusted, owns \(scratch.path)/toolchain "), "\(refused)")
        try await give(host.folder, to: Self.developer)
        for user in [0, Self.developer] {
            let result = try await run(host.executable, arguments, in: root, as: user)
            #expect(result.ending == .code(0) && result.errors == "TRAP\n", "\(user): \(result)")
        }
    }

    @Test("Homebrew, whose libraries are links to a developer's folders, passes for that developer")
    func homebrew() async throws {
        let scratch = try ScratchFolder()
        let prefix = "\(scratch.path)/homebrew"
        let root = try await root(needing: "\(prefix)/lib")
        let cellar = "\(prefix)/Cellar/needed/1.0"
        try FileManager.default.createDirectory(atPath: cellar, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: "\(prefix)/lib", toPath: "\(cellar)/lib")
        try FileManager.default.createDirectory(atPath: "\(prefix)/lib", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(prefix)/lib/libNeeded.so", withDestinationPath: "../Cellar/needed/1.0/lib/libNeeded.so")
        try await give(prefix, to: Self.developer)
        let arguments = ["run", "version", "--root", root.path]
        let result = try await run(root.executable, arguments, in: root, as: Self.developer)
        #expect(result.ending == .code(0) && result.errors == "TRAP\n", "\(result)")
        let other = try await run(root.executable, arguments, in: root, as: Stranger.user)
        #expect(other.errors.contains("user 1000, who is not trusted, owns \(prefix) "), "\(other)")
    }

    @Test("In a container, root uses a user's volume with its libraries")
    func volume() async throws {
        let volume = try SystemFolder()
        let root = try await root(needing: "\(volume.path)/site/lib")
        let copy = try await ChildProcess("cp", ["-a", "\(root.path)/.", "\(volume.path)/site"]).run()
        try #require(copy.ending == .code(0), "\(copy)")
        try await give(volume.path, to: Self.developer)
        for isolation in [[], ["--isolate", "version"]] {
            let arguments = ["run", "version", "--root", "\(volume.path)/site"] + isolation
            let result = try await run(root.executable, arguments, in: root, as: 0)
            #expect(result.ending == .code(0) && result.text.hasPrefix("1\n"), "\(result)")
        }
    }

    @Test("A checkout in /tmp passes for its owner and for nobody else")
    func checkout() async throws {
        let scratch = try ScratchFolder()
        let checkout = "\(scratch.path)/tmp/checkout"
        let root = try await root(needing: "\(checkout)/lib")
        let copy = try await ChildProcess("cp", ["-a", "\(root.path)/.", checkout]).run()
        try #require(copy.ending == .code(0) && chmod("\(scratch.path)/tmp", 0o1777) == 0, "\(copy)")
        try await give(checkout, to: Self.developer)
        let arguments = ["run", "version", "--root", checkout]
        let own = try await run(root.executable, arguments, in: root, as: Self.developer)
        #expect(own.ending == .code(0) && own.errors == "TRAP\n", "\(own)")
        for user in [0, Stranger.user] {
            let other = try await run(root.executable, arguments, in: root, as: user)
            #expect(other.ending == .code(78) && other.text.isEmpty, "\(other)")
            #expect(other.errors.contains("user 1000, who is not trusted, owns \(checkout) "), "\(other)")
        }
    }
}
