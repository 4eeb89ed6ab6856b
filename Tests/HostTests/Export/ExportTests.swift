import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// `host export`: a host for machines without a toolchain.
@Suite(.fewAtOnce, .hangLimit)
struct ExportTests {
    private let root: ScratchRoot
    private var tree: String { "\(root.folder.path)/exported" }

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("details")
    }

    /// A module that uses Foundation, which the host itself does not load.
    private static let wide = ModuleFixture(
        "Wide",
        """
        import Foundation
        import ViperKit

        @c(viper_entry_v1_Wide)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Wide.self) }

        final class Wide: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Wide>) {
                registrar.route("wide") { _, _ in WideView() }
            }
        }

        final class WideView: View {
            let screen = Screen(title: NSString(string: "a/b.txt").lastPathComponent)
        }
        """)
    private static let manifest = ManifestText("wide", library: "libWide.so", routes: ["wide"])

    /// Runs the exported host in a system that has nothing but its folder and the given libraries.
    ///
    /// - Parameters:
    ///   - commands: The arguments of each run. The result has the outputs of all of them.
    ///   - input: The standard input of each run.
    private func runBare(
        _ commands: String..., with libraries: [String], input: String = "", isWritable: Bool = false
    ) async throws -> ChildResult {
        let script = """
            set -eu
            system=$1; tree=$2; libraries=$3; input=$4; mode=$5; shift 5
            for folder in proc tmp dev opt/viper-host lib64 lib; do mkdir -p "$system/$folder"; done
            for library in ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 \\
                librt.so.1 $libraries; do
                path=$(ldconfig -p | sed -n "s/.*[[:space:]]$library .*=> //p" | head -n 1)
                [ -z "$path" ] || { cp "$path" "$system/lib/"; cp "$path" "$system/lib64/"; }
            done
            mount --bind "$tree" "$system/opt/viper-host"
            mount -o "remount,bind,$mode" "$system/opt/viper-host"
            mount -t proc proc "$system/proc"
            mount -t tmpfs -o mode=1777 tmpfs "$system/tmp"
            touch "$system/dev/null"
            mount --bind /dev/null "$system/dev/null"
            cd /
            for command in "$@"; do
                printf "$input" | chroot --userspec=65534:65534 "$system" /opt/viper-host/bin/host $command ||
                    echo "exit $?"
            done
            """
        let arguments = ["\(root.folder.path)/system", tree, libraries.joined(separator: " "), input]
        var child = ChildProcess(
            "unshare",
            ["--mount", "--pid", "--fork", "sh", "-c", script, "sh"] + arguments + [isWritable ? "rw" : "ro"] + commands
        )
        child.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp"]
        return try await child.run()
    }

    /// The libraries that `host export` has named.
    private static func libraries(in result: ChildResult) -> [String] {
        result.text.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap {
            $0.dropFirst(2).split(separator: ",").first.map(String.init)
        }
    }

    @Test(
        "An exported host runs as another user, on a system with glibc and what the command names", .needs(.strangers))
    func bare() async throws {
        try await root.add(Self.wide, Self.manifest)
        let result = try await root.host("export", tree)
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        #expect(result.text.hasPrefix("Wrote \(tree): the host, 3 modules, and "), "\(result)")
        #expect(result.text.contains("The system must provide glibc 2."))
        let needed = Self.libraries(in: result)
        #expect(needed.contains("libstdc++.so.6") && !needed.contains("libc.so.6"), "\(needed)")
        let libraries = try FileManager.default.contentsOfDirectory(atPath: tree + "/lib")
        #expect(libraries.contains("libFoundation.so") && libraries.contains("libswiftCore.so"))
        // No file of the folder is needed by none.
        #expect(!libraries.contains("libFoundationNetworking.so") && !libraries.contains("libXCTest.so"))
        let list = try await runBare("run list", with: needed)
        #expect(list.ending == .code(0) && list.text.hasPrefix("People by company"), "\(list)")
        let wide = try await runBare("run wide", with: needed)
        #expect(wide.ending == .code(0) && wide.text == "b.txt\n", "\(wide)")
        let modules = try await runBare("check", with: needed)
        #expect(modules.text.hasPrefix("No problem in 3 modules"), "\(modules)")
    }

    @Test("An archive of the same files has the same bytes, and the folder is not left beside it")
    func archive() async throws {
        var digests: Set<Data> = []
        for _ in 1...2 {
            let result = try await root.host("export", tree, "--archive")
            #expect(result.ending == .code(0) && result.text.hasPrefix("Wrote \(tree).tar.gz: "), "\(result)")
            digests.insert(try Data(contentsOf: URL(filePath: tree + ".tar.gz")))
            #expect(!FileManager.default.fileExists(atPath: tree))
            let again = try await root.host("export", tree, "--archive")
            #expect(again.ending == .code(73) && again.errors.contains("it already exists"), "\(again)")
            try FileManager.default.removeItem(atPath: tree + ".tar.gz")
        }
        #expect(digests.count == 1)
    }

    @Test("A folder that exists is not written to, and a missing library is left out with a warning")
    func refusals() async throws {
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        let refused = try await root.host("export", tree)
        #expect(refused.ending == .code(73) && refused.errors.contains("it already exists"), "\(refused)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree).isEmpty)
        try root.add(ManifestText("gone", library: "libGone.so", routes: ["gone"]))
        let result = try await root.host("export", tree + "2//")
        #expect(result.errors == "host: warning: left out gone, whose library is missing\n", "\(result)")
        #expect(result.text.contains(": the host, 2 modules, and "))
        #expect(!FileManager.default.fileExists(atPath: tree + "2/Manifests/gone.json"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: root.folder.path).allSatisfy {
                !$0.hasSuffix(".export")
            })
    }

    @Test("Modules may share a library and resources, and what is left out is named", arguments: [[], ["--archive"]])
    func omissions(options: [String]) async throws {
        for name in ["one", "two"] {
            let text = ManifestText(name, library: "libCompanyList.so", routes: []).text
            try root.add(
                manifest: text.replacing("\"requires\"", with: "\"resources\": \"Shared\",\n  \"requires\""),
                as: "\(name).json")
        }
        let shared = try root.folder.write("shared", to: "root/Plugins/Shared/data.txt")
        let folder = "\(root.path)/Plugins/Shared"
        try FileManager.default.createSymbolicLink(atPath: folder + "/inside", withDestinationPath: "data.txt")
        try FileManager.default.createSymbolicLink(atPath: folder + "/outside", withDestinationPath: "/etc/shadow")
        #expect(mkfifo(folder + "/pipe", 0o644) == 0 && chmod(shared, 0o666) == 0)
        try root.add(manifest: "{", as: "broken.json")
        // It may contain a password.
        let settings = try root.folder.write("{}", to: "root/host.json")
        #expect(chmod(settings, 0o600) == 0)
        let result = try await root.host("export", tree, configure: { $0.arguments += options })
        #expect(
            result.errors == """
                host: warning: left out Manifests/broken.json, whose manifest cannot be read
                host: warning: left out host.json, which not everybody may read; copy it yourself
                host: warning: left out Plugins/Shared/outside, a link that leads to no file inside Shared
                host: warning: left out Plugins/Shared/pipe, which is not a regular file

                """, "\(result)")
        #expect(result.ending == .code(0) && result.text.contains(": the host, 4 modules, and "), "\(result)")
        if options != [] { _ = try await Tool.run("tar", ["-xzf", tree + ".tar.gz", "-C", root.folder.path]) }
        let names = try FileManager.default.subpathsOfDirectory(atPath: tree)
        #expect(names.contains("Plugins/Shared/data.txt") && names.contains("Manifests/two.json"))
        #expect(!names.contains("host.json") && !names.contains("Manifests/broken.json"))
        #expect(try String(contentsOfFile: tree + "/Plugins/Shared/inside", encoding: .utf8) == "shared")
        try checkModes()
        try #"{"data": ["people"]}"#.write(toFile: settings, atomically: false, encoding: .utf8)
        #expect(chmod(settings, 0o644) == 0 && mkdir("\(root.path)/people", 0o755) == 0)
        try FileManager.default.removeItem(atPath: tree)
        try? FileManager.default.removeItem(atPath: tree + ".tar.gz")
        #expect(try await root.host("export", tree, configure: { $0.arguments += options }).ending == .code(0))
        if options != [] { _ = try await Tool.run("tar", ["-xzf", tree + ".tar.gz", "-C", root.folder.path]) }
        #expect(FileManager.default.fileExists(atPath: tree + "/host.json"))
    }

    /// Checks that everybody can read the exported files, and only their owner can change them.
    private func checkModes() throws {
        for name in try [""] + FileManager.default.subpathsOfDirectory(atPath: tree) {
            var status = stat()
            #expect(lstat("\(tree)/\(name)", &status) == 0)
            let mode: UInt32 = status.st_mode & S_IFMT == S_IFDIR || name == "bin/host" ? 0o755 : 0o644
            #expect(status.st_mode & 0o7777 == mode, "\(name) has \(String(status.st_mode, radix: 8))")
        }
    }

    @Test("Modes do not depend on the umask, and another user can export an exported host", .needs(.strangers))
    func others() async throws {
        for mask in ["000", "077"] {
            try? FileManager.default.removeItem(atPath: tree)
            let result = try await root.host(
                ["export", tree], under: ["/bin/sh", "-c", "umask \(mask); exec \"$0\" \"$@\""])
            #expect(result.ending == .code(0), "\(result)")
            try checkModes()
        }
        let open = root.folder.path + "/open"
        #expect(mkdir(open, 0o755) == 0 && chown(open, 65534, 65534) == 0 && chmod(root.folder.path, 0o755) == 0)
        let home = root.folder.path + "/home"
        #expect(mkdir(home, 0o700) == 0)
        func asOther(_ arguments: String...) async throws -> ChildResult {
            let words = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "\(tree)/bin/host"]
            return try await ChildProcess(
                "setpriv", words + arguments + ["--root", tree], environment: ["TMPDIR": open, "HOME": home]
            ).run()
        }
        let again = try await asOther("export", "\(open)/again")
        #expect(again.ending == .code(0), "\(again)")
    }

    @Test("A killed command leaves nothing that the next one does not remove", arguments: [[], ["--archive"]])
    func killed(options: [String]) async throws {
        for time in ["0.02", "0.06", "0.1", "0.15", "0.22", "0.3"] {
            let child = try await root.host(
                ["export", tree] + options, under: ["timeout", "-s", "KILL", time])
            if child.ending == .code(0) { break }
        }
        try? FileManager.default.removeItem(atPath: tree)
        try? FileManager.default.removeItem(atPath: tree + ".tar.gz")
        let result = try await root.host("export", tree, configure: { $0.arguments += options })
        #expect(result.ending == .code(0), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(atPath: root.folder.path).filter {
            $0.contains("export")
        }
        #expect(left == [options == [] ? "exported" : "exported.tar.gz"], "\(left)")
    }

    /// Writes a program `tar` that waits for a file before it becomes the real one, and returns the folder that contains it.
    private func waitingTar() throws -> (folder: String, hasBegun: String, go: String) {
        let (begun, go) = ("\(root.folder.path)/begun", "\(root.folder.path)/go")
        let script = """
            #!/bin/sh
            # The terminal of a command that ends sends a signal to the programs of the command.
            trap '' HUP INT
            touch \(begun)
            while [ ! -e \(go) ]; do sleep 0.01; done
            PATH=/usr/bin:/bin tar "$@"
            touch \(begun).ended

            """
        let file = try root.folder.write(script, to: "bin/tar")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return ("\(root.folder.path)/bin", begun, go)
    }

    @Test("An archiver that outlives a killed command adds no file to the folder that the next one removes")
    func archiver() async throws {
        let tar = try waitingTar()
        let path = "\(tar.folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let files = FileManager.default
        let terminal = try root.terminal("export", tree, "--archive", environment: ["PATH": path])
        #expect(await eventually { files.fileExists(atPath: tar.hasBegun) })
        terminal.send(SIGKILL)
        _ = try await terminal.end()
        // The next command has removed the content, and is about to remove the folder.
        let name = try #require(
            files.contentsOfDirectory(atPath: root.folder.path).first { $0.hasPrefix(".exported.export-") })
        let folder = "\(root.folder.path)/\(name)"
        for file in try files.contentsOfDirectory(atPath: folder) where file.hasSuffix(".gz") {
            try files.removeItem(atPath: "\(folder)/\(file)")
        }
        try Data().write(to: URL(filePath: tar.go))
        #expect(await eventually { files.fileExists(atPath: tar.hasBegun + ".ended") })
        #expect(try files.contentsOfDirectory(atPath: folder) == ["exported"])
        #expect(try await root.host("export", tree, "--archive").ending == .code(0))
        #expect(!files.fileExists(atPath: folder))
    }

    @Test("A signal leaves nothing", arguments: [SIGINT, SIGTERM])
    func ended(signal: Int32) async throws {
        let tar = try waitingTar()
        let path = "\(tar.folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let files = FileManager.default
        let terminal = try root.terminal("export", tree, "--archive", environment: ["PATH": path])
        #expect(await eventually { files.fileExists(atPath: tar.hasBegun) })
        terminal.send(signal)
        #expect(try await terminal.end().ending == .signal(signal))
        #expect(try files.contentsOfDirectory(atPath: root.folder.path).filter { $0.contains("export") } == [])
        try Data().write(to: URL(filePath: tar.go))
        #expect(await eventually { files.fileExists(atPath: tar.hasBegun + ".ended") })
    }

    @Test(
        "A folder that cannot be written is refused with the reason",
        arguments: [
            ("", "new folder"), ("x/.", "new folder"), ("root/Plugins/CompanyList/Resources/x", "inside the resources"),
        ])
    func unwritable(folder: String, reason: String) async throws {
        var child = ChildProcess(
            root.executable, ["export", folder, "--root", root.path], environment: root.environment)
        child.workingFolder = root.folder.path
        let result = try await child.run()
        #expect(result.ending == .code(64) && result.errors.contains(reason), "\(result)")
    }

    @Test("With the SDK, an exported host builds a module, which it then runs", .long)
    func sdk() async throws {
        #expect(try await root.host("export", tree, "--with-sdk").ending == .code(0))
        try root.folder.write(Self.wide.source, to: "Wide/Wide.swift")
        try root.folder.write(Self.manifest.text, to: "Wide/wide.json")
        // An exported host can be exported again.
        let again = try await ChildProcess("\(tree)/bin/host", ["export", tree + "2", "--with-sdk", "--root", tree])
            .run()
        #expect(again.ending == .code(0), "\(again)")
        let host = "\(tree)2/bin/host"
        let built = try await ChildProcess(host, ["build", "\(root.folder.path)/Wide", "--root", tree + "2"]).run()
        #expect(built.ending == .code(0), "\(built)")
        let shown = try await ChildProcess(host, ["run", "wide", "--root", tree + "2"], environment: root.environment)
            .run()
        #expect(shown.ending == .code(0) && shown.text == "b.txt\n", "\(shown)")
        let package = root.folder.path + "/errands"
        let made = try await ChildProcess(host, ["new", "Errands", "--package", package]).run()
        #expect(made.ending == .code(0), "\(made)")
        let manifest = try String(contentsOfFile: package + "/Package.swift", encoding: .utf8)
        #expect(manifest.contains("let host = \"\(tree)2\""), "\(manifest)")
        // The article Installing tests such a package. Here, its targets are those of the checkout.
        let own = try await targets(of: tree + "2")
        let all = try await targets(of: Products.repository)
        #expect(own.count == 6 && own.allSatisfy { all[$0.key] == $0.value }, "\(own)")
    }

    /// Returns the dependencies of each target of a package.
    private func targets(of package: String) async throws -> [String: Set<String>] {
        // The folder of the build under test is locked while `swift test` runs.
        let scratch = root.folder.path + "/scratch"
        let text = try await Tool.run(
            "swift", ["package", "--package-path", package, "--scratch-path", scratch, "dump-package"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let targets = try #require(object["targets"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: targets.map { target in
                let needs = target["dependencies"] as? [[String: [Any]]] ?? []
                return (
                    target["name"] as? String ?? "", Set(needs.flatMap(\.values).compactMap { $0.first as? String })
                )
            })
    }

    @Test(
        "A module that the exported SDK has built is installed elsewhere, a broken version is replaced, and why tells it",
        .long, .needs(.strangers))
    func outside() async throws {
        let exported = try await root.host("export", tree, "--with-sdk")
        #expect(exported.ending == .code(0), "\(exported)")
        for (version, event) in [("1", ""), ("2", "abort()")] {
            let source = "\(root.folder.path)/source\(version)"
            try root.folder.write(
                ModuleFixture.version(version, routes: ["version"], event: event).source,
                to: "source\(version)/Version.swift")
            let manifest = ManifestText.version(routes: ["version"]).text.replacing("1.0.0", with: "\(version).0.0")
            try root.folder.write(manifest, to: "source\(version)/version.json")
            let built = try await ChildProcess("\(tree)/bin/host", ["build", source, "--root", tree]).run()
            #expect(built.ending == .code(0), "\(built)")
            _ = try await Tool.run("mkdir", ["-p", "\(tree)/new/\(version)"])
            _ = try await Tool.run("mv", ["\(tree)/Plugins/libVersion.so", "\(tree)/new/\(version)/"])
        }
        _ = try await Tool.run("chown", ["-R", "65534:65534", tree])
        let install = ["1", "2"].map { "install /opt/viper-host/new/\($0)/libVersion.so --yes" }
        let crash = "run -i version --state /tmp/state"
        let result = try await runBare(
            install[0], install[1], "run version", crash, crash, crash, "serve --stdio --state /tmp/state",
            "run version --state /tmp/state", "why version --state /tmp/state", with: Self.libraries(in: exported),
            input: "go\nquit\n", isWritable: true)
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 == "exit 134" }.count == 3, "\(result)")
        #expect(lines.contains("2") && lines.last { $0 == "1" || $0 == "2" } == "1", "\(result)")
        #expect(result.errors.contains("version 1.0.0 is used again, because 2.0.0 is quarantined"), "\(result)")
        #expect(result.text.contains("2.0.0, which is not used, because it is quarantined\n"), "\(result)")
    }
}
