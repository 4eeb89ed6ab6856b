import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// What the modules of a process share although each has a private copy of its library.
@Suite(.fewAtOnce, .hangLimit)
struct SharedLibraryTests {
    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("details")
    }

    /// Runs a command that asks a serving host.
    private func ask(_ host: ServingHost, _ arguments: String...) async throws -> ChildResult {
        try await ChildProcess(root.executable, arguments + ["--via", host.socket], environment: root.environment).run()
    }

    /// Returns the module `version` with its own build of `libdep.so.1`, whose number it shows.
    private func module(_ number: Int, as name: String = "Version", in folder: String) async throws -> ModuleFixture {
        let library = CLibraryFixture(
            "libdep.so.1", "int dep_version(void) { return \(number); }",
            flags: ["-Wl,-soname,libdep.so.1", "-Wl,--build-id=sha1"])
        let file = "\(root.folder.path)/\(folder)/libdep.so.1"
        try FileManager.default.createDirectory(
            atPath: "\(root.folder.path)/\(folder)", withIntermediateDirectories: true)
        try await copyFile(library.compiled(), to: file)
        var module = ModuleFixture(
            name,
            """
            import ViperKit

            @_silgen_name("dep_version") func depVersion() -> Int32

            @c(viper_entry_v1_\(name)) public func entry() -> UnsafeRawPointer { ModuleEntry.export(Own.self) }

            final class Own: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<Own>) {
                    registrar.route("\(name.lowercased())") { _, _ in OwnView() }
                }
            }

            final class OwnView: View { let screen = Screen(title: "\(number) uses \\(depVersion())") }
            """)
        module.flags = [file, "-Xlinker", "-rpath", "-Xlinker", "\(root.folder.path)/\(folder)"]
        return module
    }

    private func replace(with module: ModuleFixture) async throws {
        try await copyFile(module.compiled(), to: "\(root.path)/new")
        try #require(rename("\(root.path)/new", "\(root.path)/Plugins/\(module.library)") == 0)
    }

    @Test("A new version with its own build of a loaded library is refused, and the old one stays in use")
    func replacement() async throws {
        try await root.add(module(1, in: "one"), .version())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("1 uses 1"))
        // The same library in another folder is no other library.
        try await replace(with: module(1, in: "same"))
        try await host.wait(forLog: "version 1.0.0 was replaced: generation 2\n")
        try await replace(with: module(2, in: "two"))
        try await host.wait(forLog: "it needs libdep.so.1, and another file has this name in the process")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("1 uses 1"))
        let why = try await ask(host, "why", "version")
        #expect(why.text.contains("\(root.folder.path)/two/libdep.so.1"), "\(why)")
        #expect(why.text.contains("restart the host if only the new file is needed"), "\(why)")
        // A new process has loaded nothing else, and neither has a worker.
        #expect(try await root.host("run", "version").text == "2 uses 2\n")
        #expect(try await root.host("check").ending == .code(0))
    }

    @Test("Two modules with different builds of a library are told apart, unless one has a process of its own")
    func twoModules() async throws {
        try await root.add(module(1, in: "one"), .version())
        var other = ManifestText("other", library: "libOther.so", routes: ["other"])
        try await root.add(module(2, as: "Other", in: "two"), other)
        let check = try await root.host("check")
        #expect(check.ending == .code(1) && check.text.contains("needs libdep.so.1"), "\(check)")
        #expect(check.text.contains("libdep.so.1, which module "), "\(check)")
        other.isolation = "process"
        try root.add(other)
        #expect(try await root.host("check").ending == .code(0))
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("1 uses 1"))
        #expect(try await client.call("open", #"{"route":"other"}"#).contains("2 uses 2"))
    }

    @Test("A copy of a library that the host itself needs is not used, and keeps no module from being loaded")
    func ofHost() async throws {
        let library = CLibraryFixture("libc.so.6", "int nothing;", flags: ["-Wl,-soname,libc.so.6"])
        let folder = "\(root.folder.path)/own"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await copyFile(library.compiled(), to: "\(folder)/libc.so.6")
        var module = ModuleFixture.version("own")
        module.flags = ["-Xlinker", "-rpath", "-Xlinker", folder]
        try await root.add(module, .version())
        #expect(try await root.host("run", "version").text.hasPrefix("own\n"))
        #expect(try await root.host("check").ending == .code(0))
    }

    @Test("Thread-local data of the process are warned of, and the error of a full process says what to do")
    func threadLocal() async throws {
        var module = ModuleFixture.version("local")
        module.cSource = """
            static __thread int block[100] __attribute__((tls_model("initial-exec")));
            __attribute__((constructor)) static void start(void) { block[1]++; }
            """
        try await root.add(module, .version())
        let check = try await root.host("check")
        let text = "take room in a small block of the process"
        #expect(check.ending == .code(0) && check.text.contains(text), "\(check)")
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("local"))
        #expect(host.log.contains(text), "\(host.log)")
        let bytes = try Data(contentsOf: URL(filePath: await module.compiled()))
        for count in 1...20 where !host.log.contains("static TLS block") {
            // Bytes behind the end change the library, and nothing that is loaded.
            let path = try root.folder.write(bytes + Data(repeating: 0, count: count), to: "root/new")
            try #require(rename(path, "\(root.path)/Plugins/libVersion.so") == 0)
            let isDone = try await eventually {
                let numbers = try await client.call("statistics")
                return numbers.contains(#""generation":\#(count + 1),"#) || host.log.contains("static TLS block")
            }
            #expect(isDone)
        }
        let modules = try await ask(host, "modules")
        #expect(modules.text.contains("fix: restart the host, and compile"), "\(modules)")
    }

    @Test("Libraries in a folder without programs are refused before they are loaded", .needs(.namespaces))
    func noPrograms() async throws {
        let hidden = ["-rm", "sh", "-c", #"mount -t tmpfs -o noexec,mode=700 tmpfs "$0" && exec "$@""#, root.temporary]
        guard try await ChildProcess("unshare", hidden + ["true"]).run().ending == .code(0) else {
            try Requirement.namespaces.skip()
        }
        for command in [["run", "list"], ["check"], ["why", "company-list"]] {
            let result = try await ChildProcess(
                "unshare", hidden + [root.executable] + command + ["--root", root.path], environment: root.environment
            ).run()
            let text = result.text + result.errors
            #expect(text.contains("\(root.temporary), whose file system is mounted with noexec"), "\(result)")
            #expect(text.contains("set TMPDIR to a folder on a file system"), "\(result)")
        }
    }
}
