import Foundation
import HostDriver
import TestSupport
import Testing

/// Environments in which a new folder is writable for others, unless the host limits its mode.
@Suite(.fewAtOnce, .hangLimit)
struct UmaskTests {
    enum Setting: String, CaseIterable, CustomTestStringConvertible {
        case open = "umask 000"
        case sharedGroup = "umask 002 and a group with other members"
        case accessList = "a default access control list"

        var testDescription: String { rawValue }
    }

    private let root: ScratchRoot

    init() throws { root = try ScratchRoot() }

    /// Changes a process so that it runs in a setting.
    private func enter(_ setting: Setting, _ child: inout ChildProcess) {
        let words = [child.program] + child.arguments
        let shell = ["/bin/sh", "-c", #"umask "$0"; exec "$@""#, setting == .open ? "000" : "002"] + words
        // A group that is not in the system's files may have any member.
        let group = ["setpriv", "--regid=\(Stranger.user)", "--clear-groups"]
        let all = (setting == .sharedGroup ? group : []) + shell
        (child.program, child.arguments) = (all[0], Array(all.dropFirst()))
    }

    /// Prepares a root for a setting.
    private func prepare(_ setting: Setting) async throws {
        if setting == .sharedGroup { try await Requirement.strangers.check() }
        if setting != .accessList { return }
        // The same as `setfacl -d -m u:54321:rwx,o::rwx`, which not every machine has. The list is in the kernel's
        // format.
        let script = """
            import os, struct, sys
            entries = [(1, 7, -1), (2, 7, 54321), (4, 7, -1), (0x10, 7, -1), (0x20, 7, -1)]
            acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
            for folder in sys.argv[1:]: os.setxattr(folder, "system.posix_acl_default", acl)
            """
        let folders = [root.temporary, root.path, root.folder.path]
        let result = try await Python.process(["-c", script] + folders).run()
        try #require(result.ending == .code(0), "\(result)")
    }

    private func host(_ setting: Setting, _ arguments: String...) async throws -> ChildResult {
        let state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
        return try await root.host(environment: state) { child in
            child.arguments = arguments + child.arguments
            enter(setting, &child)
        }
    }

    @Test("A module runs in a worker, is tested, and is served", arguments: Setting.allCases)
    func workers(_ setting: Setting) async throws {
        try await root.add(.version("1", routes: ["version"]), .version())
        for name in ["people", "sqlite"] { try root.copyManifest(name) }
        try await prepare(setting)
        for arguments in [["run", "version", "--isolate", "version"], ["run", "version"]] {
            let result = try await root.host { child in
                child.arguments = arguments + child.arguments
                enter(setting, &child)
            }
            #expect(result.ending == .code(0) && result.text.hasPrefix("1\n"), "\(result)")
        }
        for target in ["version", "\(root.path)/Plugins/libVersion.so"] {
            let result = try await host(setting, "test", target)
            #expect(result.ending == .code(0), "\(result)")
        }
        let serving = try await ServingHost(
            root, "--isolate", "version", environment: ["XDG_STATE_HOME": "\(root.folder.path)/state"]
        ) { enter(setting, &$0) }
        let client = try serving.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("open", #"{"route":"people"}"#).contains("result"))
        serving.send(SIGTERM)
        #expect(try await serving.end() == .code(0))
    }

    @Test("Stored data is read again, with both data providers", arguments: Setting.allCases)
    func state(_ setting: Setting) async throws {
        for name in ["people", "sqlite"] { try root.copyManifest(name) }
        try await prepare(setting)
        for provider in ["json", "sqlite"] {
            let use = "data-provider=\(provider)"
            let added = try await host(
                setting, "run", "people/add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add", "--use", use)
            #expect(added.ending == .code(0), "\(added)")
            let shown = try await host(setting, "run", "people", "--use", use)
            #expect(shown.ending == .code(0) && shown.text.contains("Ada"), "\(shown)")
        }
    }

    @Test("A new module is built into a root without Plugins, and runs", arguments: Setting.allCases)
    func build(_ setting: Setting) async throws {
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins")
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        try root.folder.write(HelloSource.code, to: "Hello/Hello.swift")
        try root.folder.write(HelloSource.manifest, to: "Hello/hello.json")
        try root.folder.write("text", to: "Hello/Resources/text.txt")
        for file in ["", "/hello.json", "/Resources", "/Resources/text.txt"] {
            try #require(chmod("\(root.folder.path)/Hello\(file)", 0o777) == 0)
        }
        try await prepare(setting)
        let built = try await host(setting, "build", "\(root.folder.path)/Hello")
        #expect(built.ending == .code(0), "\(built)")
        let result = try await host(setting, "run", "hello", "--isolate", "hello")
        #expect(result.ending == .code(0), "\(result)")
        #expect(result.text.hasPrefix("Hello\n") && result.text.contains("text"), "\(result)")
    }
}

private enum HelloSource {
    static let code = """
        import ViperKit

        @c(viper_entry_v1_Hello)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }

        final class Hello: Module {
            private let files: any FileReader

            init(services: any ServiceResolver) throws { files = try services.resolve(.fileReader) }

            static func register(with registrar: Registrar<Hello>) {
                registrar.route("hello") { module, _ in HelloView(files: module.files) }
            }
        }

        final class HelloView: View {
            private(set) var screen = Screen(title: "Hello")
            private let files: any FileReader

            init(files: any FileReader) { self.files = files }

            func load() async {
                do { screen.text = String(decoding: try await files.read("text.txt"), as: UTF8.self) } catch {
                    screen.text = "\\(error)"
                }
            }
        }

        """

    static var manifest: String {
        """
        {"name": "hello", "version": "1.0.0", "library": "libHello.so", "sdk": "1.0", "resources": "Hello/Resources",
         "requires": ["file-reader"], "provides": [], "routes": [{"name": "hello", "summary": "Says hello"}]}
        """
    }
}
