import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Files that another user can change or has put into folders that the host reads. Each attack could run the attacker's
/// code as the user.
@Suite(.fewAtOnce, .hangLimit)
struct TrustTests {
    /// Copies a library to a folder. The screen title TRAP shows that its code was run.
    private func trap(in folder: String) async throws {
        let library = try await ModuleFixture.version("TRAP").compiled()
        try copyFile(library, to: "\(folder)/libVersion.so")
    }

    private func folder(_ path: String, mode: mode_t = 0o755) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(chmod(path, mode) == 0)
    }

    /// Creates a root with that library and its manifest. The caller gives files to the stranger.
    private func strangersRoot(_ root: String) async throws {
        try folder("\(root)/Plugins")
        try await trap(in: "\(root)/Plugins")
        try folder("\(root)/Manifests")
        try ManifestText.version().text.write(
            toFile: "\(root)/Manifests/version.json", atomically: false, encoding: .utf8)
    }

    private func give(_ paths: String..., to user: uid_t = Stranger.user) throws {
        for path in paths { try #require(lchown(path, user, user) == 0, "\(path)") }
    }

    @Test("The search for a root follows no link and uses no files of a stranger", .needs(.strangers))
    func trapUpwards() async throws {
        let host = try await BareHost()
        let scratch = try ScratchFolder()
        let (shared, real) = ("\(scratch.path)/shared", "\(scratch.path)/real")
        try await strangersRoot(real)
        try folder("\(shared)/work")
        try FileManager.default.moveItem(atPath: "\(real)/Plugins", toPath: "\(shared)/Plugins")
        try #require(chmod(shared, 0o1777) == 0)
        // The target of the link belongs to root.
        try await Stranger.run("ln -s '\(real)/Manifests' '\(shared)/Manifests'")
        try give("\(shared)/Plugins", "\(shared)/Plugins/libVersion.so")
        for arguments in [["run", "version"], ["routes"]] {
            let result = try await host.run(arguments, workingFolder: "\(shared)/work")
            #expect(result.ending == .code(66), "\(result)")
            #expect(!result.text.contains("TRAP") && !result.text.contains("version"))
            #expect(result.errors.contains("skipped  \(shared)/Manifests: it is a link or belongs to another user"))
        }
    }

    @Test("A root is refused if another user can change or owns a part of it", .needs(.strangers))
    func sharedFolder() async throws {
        let host = try await BareHost()
        let scratch = try ScratchFolder()
        let shared = "\(scratch.path)/shared"
        try await strangersRoot(shared)
        try give("\(shared)/Plugins", "\(shared)/Plugins/libVersion.so")
        try #require(chmod(shared, 0o1777) == 0)
        var result = try await host.run(["run", "version"], workingFolder: shared)
        #expect(result.ending == .code(78), "\(result)")
        #expect(
            result.errors == """
                host: cannot use root "\(shared)": every user can change \(shared) (owner 0, mode 1777)
                  fix: restrict it with chmod o-w \(shared); or use it anyway with --trust-permissions

                """)
        // The folder belongs to its user, but its Plugins folder to the stranger.
        try #require(chmod(shared, 0o755) == 0)
        result = try await host.run(["run", "version"], workingFolder: shared)
        #expect(result.ending == .code(78), "\(result)")
        let cause =
            "user 54321, who is not trusted, owns \(shared)/Plugins (owner 54321, mode 755); trusted users: 0"
        #expect(result.errors.hasPrefix("host: cannot list folder \"\(shared)/Plugins\": \(cause)\n"), "\(result)")
        #expect(result.errors.contains("chown 0 \(shared)/Plugins, or name the root with --root to trust its owner"))
        // Only the library belongs to the stranger.
        try give("\(shared)/Plugins", to: 0)
        result = try await host.run(["run", "version"], workingFolder: shared)
        #expect(result.ending == .code(78), "\(result)")
        #expect(result.errors.contains("owns \(shared)/Plugins/libVersion.so (owner 54321, mode 755)"), "\(result)")
        let allowed = try await host.run(["run", "version", "--trust-permissions"], workingFolder: shared)
        #expect(allowed.text.contains("TRAP"), "\(allowed)")
        #expect(
            allowed.errors == "host: warning: user 54321, who is not trusted, owns \(shared)/Plugins/libVersion.so "
                + "(owner 54321, mode 755); trusted users: 0; it is used because of --trust-permissions\n")
    }

    @Test("A library, manifest, settings file or resource folder that others can change is refused")
    func openFiles() async throws {
        let root = try ScratchRoot()
        try await root.add(.version("1"), .version())
        try root.folder.write("{}", to: "root/host.json")
        func host(_ arguments: [String]) async throws -> ChildResult {
            try await ChildProcess(root.executable, arguments + ["--root", root.path]).run()
        }
        #expect(try await root.host("run", "version").ending == .code(0))
        let cases: [(file: String, command: [String], subject: String)] = [
            ("Plugins/libVersion.so", ["run", "version"], "cannot load library \"libVersion.so\""),
            ("Manifests/version.json", ["modules"], "cannot use manifest \"Manifests/version.json\""),
            ("host.json", ["run", "version"], "cannot use \"\(root.path)/host.json\""),
            ("Plugins/CompanyList/Resources", ["run", "list"], "cannot read file \"company.json\""),
        ]
        for (file, command, subject) in cases {
            let path = "\(root.path)/\(file)"
            var status = stat()
            try #require(stat(path, &status) == 0 && chmod(path, status.st_mode | 0o002) == 0)
            let result = try await host(command)
            // The screen reports a file that cannot be read. The listing reports a refused module.
            let told = result.text + result.errors
            #expect(told.contains("\(subject): every user can change \(path) ("), "\(result)")
            if command != ["run", "list"] { #expect(told.contains("restrict it with chmod o-w \(path)"), "\(result)") }
            let allowed = try await host(command + ["--trust-permissions"])
            #expect(!allowed.text.contains(subject))
            #expect(allowed.ending == .code(0), "\(allowed)")
            #expect(allowed.errors.contains("warning: every user can change \(path) "), "\(allowed)")
            try #require(chmod(path, status.st_mode) == 0)
        }
    }

    @Test(
        "A stranger's temporary folder is refused, because a library could be exchanged there",
        .needs(.strangers))
    func temporaryFolder() async throws {
        let root = try ScratchRoot()
        let temporary = "\(root.folder.path)/strangers"
        try folder(temporary, mode: 0o777)
        try give(temporary)
        let result = try await root.host("run", "list", environment: ["TMPDIR": temporary])
        #expect(result.ending == .code(78), "\(result)")
        #expect(result.errors.hasPrefix("host: cannot create a folder in \"\(temporary)\": user 54321"), "\(result)")
        // Owned by root and sticky, as /tmp is.
        try give(temporary, to: 0)
        try #require(chmod(temporary, 0o1777) == 0)
        #expect(try await root.host("run", "list", environment: ["TMPDIR": temporary]).ending == .code(0))
    }

    @Test("A state folder that others can write is refused with a fix and left unchanged")
    func stateFolder() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("people")
        let state = "\(root.folder.path)/state"
        try folder(state, mode: 0o777)
        var result = try await root.host("run", "people", "--state", state)
        #expect(result.ending == .code(78), "\(result)")
        #expect(
            result.errors == """
                host: cannot use folder "\(state)": every user can change \(state) (owner \(getuid()), mode 777)
                  fix: restrict it with chmod o-w \(state); or use it anyway with --trust-permissions

                """)
        var status = stat()
        #expect(stat(state, &status) == 0 && status.st_mode & 0o7777 == 0o777)
        try #require(chmod(state, 0o755) == 0)
        result = try await root.host("run", "people", "--state", state)
        #expect(result.ending == .code(0), "\(result)")
    }

    @Test("A module's state folder that others can read is refused, also in a worker")
    func privacy() async throws {
        let root = try ScratchRoot()
        for name in ["people", "sqlite"] { try root.copyManifest(name) }
        let state = "\(root.folder.path)/state"
        func host(_ arguments: String...) async throws -> ChildResult {
            let all = arguments + ["--root", root.path, "--state", state, "--use", "data-provider=sqlite"]
            return try await ChildProcess(root.executable, all).run()
        }
        let added = try await host("run", "people/add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add")
        #expect(added.ending == .code(0) && added.text.contains("Ada"), "\(added)")
        try #require(chmod("\(state)/modules/sqlite", 0o755) == 0)
        for result in try await [host("run", "people"), host("run", "people", "--isolate", "people")] {
            let told = result.text + result.errors
            let cause = "other users can access \(state)/modules/sqlite (owner \(getuid()), mode 755)"
            #expect(told.contains(cause) && !told.contains("Ada"), "\(result)")
        }
    }

    @Test("A state folder that a stranger creates while the host runs is not used", .needs(.strangers))
    func stateOfStranger() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("people")
        let shared = "\(root.folder.path)/shared"
        try folder(shared, mode: 0o1777)
        let host = try await ServingHost(root, "--state", "\(shared)/state")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"people"}"#).contains("result"))
        try await Stranger.run("mkdir -m 777 '\(shared)/state' '\(shared)/state/data'")
        let answer = try await client.call("open", #"{"route":"people"}"#)
        #expect(answer.contains("user 54321, who is not trusted, owns \(shared)/state"), "\(answer)")
    }

    @Test("A root behind a stranger's link is refused, also with two dots in the path", .needs(.strangers))
    func dots() async throws {
        let root = try ScratchRoot()
        let trap = "\(root.folder.path)/trap"
        try folder(trap)
        try FileManager.default.createSymbolicLink(atPath: "\(trap)/link", withDestinationPath: "\(root.path)/Plugins")
        try give("\(trap)/link", trap)
        for name in ["\(trap)/link/..", "\(trap)/link/../../root"] {
            let result = try await ChildProcess(root.executable, ["routes", "--root", name]).run()
            #expect(result.ending == .code(78) && result.errors.contains("owns \(trap) "), "\(result)")
        }
    }

    @Test(
        "In a user namespace an unmapped owner is not taken for the user, and a group is not trusted",
        .needs(.strangers))
    func userNamespace() async throws {
        let root = try ScratchRoot()
        try await root.add(.version("1"), .version())
        func run(_ options: String, _ arguments: String...) async throws -> ChildResult {
            let words = options.split(separator: " ").map(String.init) + [root.executable] + arguments
            var child = Stranger.program("unshare", words, as: Stranger.victim)
            child.workingFolder = root.path
            child.environment["TMPDIR"] = "/tmp"
            return try await child.run()
        }
        guard try await Stranger.program("unshare", ["-Ur", "true"], as: Stranger.victim).run().ending == .code(0)
        else {
            try Requirement.namespaces.skip()
        }
        // The owner is a stranger, whose id in the namespace is the same as the process's.
        #expect(try await ChildProcess("chown", ["-R", "\(Stranger.user)", root.path]).run().ending == .code(0))
        for options in ["-U", "-U --map-user=65534"] {
            let result = try await run(options, "run", "version")
            #expect(result.ending != .code(0) && result.text.isEmpty, "\(result)")
        }
        // The owner is the user. The folders above look like a stranger's, and are accepted.
        let own = "\(Stranger.victim):\(Stranger.victim)"
        #expect(try await ChildProcess("chown", ["-R", own, root.path]).run().ending == .code(0))
        let routes = try await run("-Ur", "routes")
        #expect(routes.ending == .code(0) && routes.text.contains("version"), "\(routes)")
        try #require(chmod("\(root.path)/Plugins", 0o775) == 0)
        let writable = try await run("-Ur", "routes")
        #expect(writable.errors.contains("group 0 can change \(root.path)/Plugins "), "\(writable)")
    }

    @Test(
        "A checkout with umask 002, a root in /opt and a named volume of another user are accepted",
        .needs(.strangers))
    func usual() async throws {
        let root = try ScratchRoot()
        try await root.add(.version("1"), .version())
        try FileManager.default.createDirectory(
            atPath: "\(root.folder.path)/home/tmp", withIntermediateDirectories: true)
        func run(_ arguments: [String], as user: uid_t) async throws -> ChildResult {
            var child = Stranger.program(root.executable, arguments, as: user)
            child.workingFolder = root.path
            child.environment["TMPDIR"] = "/tmp"
            child.environment["HOME"] = "\(root.folder.path)/home"
            return try await child.run()
        }
        // Owned by root and readable by others. The search finds it, too.
        for arguments in [["run", "version"], ["run", "version", "--root", root.path]] {
            let result = try await run(arguments, as: Stranger.victim)
            #expect(result.ending == .code(0), "\(result)")
        }
        func change(_ program: String, _ value: String) async throws {
            #expect(try await ChildProcess(program, ["-R", value, root.path]).run().ending == .code(0))
        }
        // A checkout with umask 002: the user's own group can write all files. On every system, user 1 has its own
        // group.
        try await change("chown", "1:1")
        try await change("chmod", "g+w")
        let own = try await run(["run", "version"], as: 1)
        #expect(own.ending == .code(0), "\(own)")
        // A group that is not in the system's files may have any member.
        try await change("chown", "1:\(Stranger.user)")
        let foreign = try await run(["run", "version"], as: 1)
        #expect(foreign.errors.contains("group \(Stranger.user) can change \(root.path) "), "\(foreign)")
        try await change("chmod", "g-w")
        // A container's volume, or another user's clone. Naming it with --root trusts its owner, but not below /tmp.
        let other = try await run(["run", "version"], as: Stranger.user)
        #expect(other.ending != .code(0) && other.text.isEmpty, "\(other)")
        let volume = try SystemFolder()
        #expect(try await ChildProcess("cp", ["-a", root.path, volume.path]).run().ending == .code(0))
        let named = try await run(["run", "version", "--root", "\(volume.path)/root"], as: Stranger.user)
        #expect(named.ending == .code(0), "\(named)")
    }

    @Test(
        "A stranger's root below a sticky folder is refused, even if --root or VIPER_ROOT names it",
        .needs(.strangers))
    func namedInSharedFolder() async throws {
        let host = try await BareHost()
        let system = try SystemFolder()
        let (shared, home) = ("\(system.path)/shared", "\(system.path)/home")
        try folder(shared, mode: 0o1777)
        try await strangersRoot("\(shared)/x/site")
        try await strangersRoot("\(home)/site")
        try await Stranger.run("ln -s '\(home)' '\(shared)/link'")
        for path in ["\(shared)/x", home] {
            let change = ChildProcess("chown", ["-R", "\(Stranger.user):\(Stranger.user)", path])
            #expect(try await change.run().ending == .code(0))
        }
        // The last path leads out of the shared folder, through a link that the stranger controls.
        for path in ["\(shared)/x/site", "\(shared)/link/site", "\(shared)/link/../home/site"] {
            for (arguments, environment) in [(["--root", path], [:]), ([], ["VIPER_ROOT": path])] {
                let result = try await host.run(["run", "version"] + arguments, environment: environment)
                #expect(result.ending == .code(78) && result.text.isEmpty, "\(result)")
                #expect(result.errors.contains("user 54321, who is not trusted, owns \(shared)/"), "\(result)")
                let fix = ", or move the root out of \(shared), where other users can create folders"
                #expect(result.errors.contains(fix), "\(result)")
            }
        }
        // The same root elsewhere, and a root in the shared folder that belongs to its user.
        let named = try await host.run(["run", "version", "--root", "\(home)/site"])
        #expect(named.ending == .code(0) && named.text.contains("TRAP"), "\(named)")
        #expect(try await ChildProcess("chown", ["-R", "0:0", "\(shared)/x"]).run().ending == .code(0))
        let own = try await host.run(["run", "version", "--root", "\(shared)/x/site"])
        #expect(own.ending == .code(0) && own.text.contains("TRAP"), "\(own)")
    }
}
