import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The commands that change installed modules.
@Suite(.fewAtOnce, .hangLimit)
struct InstallTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }

    init() throws { fixture = try InstallFixture() }

    private func host(_ arguments: String...) async throws -> ChildResult {
        try await root.host(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
    }

    @Test("A library is installed, replaced, rolled back and removed, and each command tells the differences")
    func life() async throws {
        let (one, two) = (try await fixture.packed("1"), try await fixture.packed("2", routes: ["version", "newer"]))
        let first = try await host("install", one, "--yes")
        #expect(
            first.text == """
                SHA-256 \(try await fixture.digest(of: one))
                version 1.0.0 (new)
                  + route version
                Installed version 1.0.0 as Plugins/libVersion.so in \(root.path)

                """, "\(first)")
        #expect(try await fixture.title() == "1")
        let second = try await host("install", two, "--yes")
        #expect(
            second.text == """
                SHA-256 \(try await fixture.digest(of: two))
                version 1.0.0 -> 2.0.0
                  + route newer
                Installed version 2.0.0 as Plugins/libVersion.so in \(root.path)

                """, "\(second)")
        #expect(try await fixture.title() == "2")
        let back = try await host("rollback", "version", "--yes")
        #expect(back.text.contains("\nversion 2.0.0 -> 1.0.0\n  - route newer\nUses version 1.0.0 again"), "\(back)")
        #expect(try await fixture.title() == "1")
        let details = try await host("modules", "version")
        #expect(details.text.contains(/earlier version +2\.0\.0\n/), "\(details)")
        let removed = try await host("remove", "version", "--yes")
        #expect(
            removed.text.contains("\nversion 1.0.0 -> removed\n  - route version\nRemoved version 1.0.0"), "\(removed)")
        #expect(try await fixture.title() == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").sorted() == [
                ".versions", "CompanyList",
            ])
        #expect(try await host("rollback", "version", "--yes").ending == .code(0))
        #expect(try await fixture.title() == "1")
        let named = try await host("rollback", "version", "2.0.0", "--yes")
        #expect(named.ending == .code(0), "\(named)")
        #expect(try await fixture.title() == "2")
        let missing = try await host("rollback", "version", "7.0.0", "--yes")
        #expect(missing.ending == .code(66), "\(missing)")
        #expect(missing.errors.contains("Plugins/.versions has no version 7.0.0\n  versions  1.0.0\n"), "\(missing)")
    }

    @Test("In a root with a lock, each change updates the lock and says so")
    func locked() async throws {
        let (one, two) = (try await fixture.packed("1"), try await fixture.packed("2"))
        let unlocked = try await host("install", one, "--yes")
        #expect(!unlocked.text.contains("modules.lock"), "\(unlocked)")
        #expect(try await root.host("lock").ending == .code(0))
        let lock = "\(root.path)/Manifests/modules.lock"
        func isNamed() throws -> Bool { try String(contentsOfFile: lock, encoding: .utf8).contains("libVersion.so") }
        for (arguments, title) in [
            (["install", two], "2"), (["rollback", "version"], "1"), (["remove", "version"], nil),
            (["rollback", "version"], "1"),
        ] as [([String], String?)] {
            let result = try await root.host(environment: fixture.state) {
                $0.arguments = arguments + ["--yes"] + $0.arguments
            }
            #expect(result.text.hasSuffix("\nUpdated Manifests/modules.lock\n"), "\(result)")
            #expect(try await fixture.title() == title)
            #expect(try isNamed() == (title != nil))
            #expect(try !String(contentsOfFile: lock, encoding: .utf8).contains("replaces"))
        }
    }

    @Test("The last three versions are kept, and the same bytes only once")
    func kept() async throws {
        for version in 1...6 {
            let result = try await host("install", try await fixture.packed("\(version)"), "--yes")
            #expect(result.ending == .code(0), "\(result)")
        }
        let json = try await host("modules", "version", "--format", "json")
        let versions = json.text.matches(of: /"version" ?: ?"(\d)\.0\.0"/).map { String($0.1) }
        #expect(Set(versions) == ["6", "5", "4", "3"], "\(json)")
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.versions).filter { $0.hasSuffix(".so") }
        #expect(files.count == 3)
    }

    @Test("Installing a version again keeps the others, and strange numbers and links do no harm")
    func again() async throws {
        let (one, two) = (try await fixture.packed("1"), try await fixture.packed("2"))
        #expect(try await host("install", one, "--yes").ending == .code(0))
        for _ in 1...4 { #expect(try await host("install", two, "--yes").ending == .code(0)) }
        try root.folder.write("x", to: "root/Plugins/.versions/\(Int.max)-libVersion.so")
        let back = try await host("rollback", "version", "--yes")
        #expect(back.ending == .code(0), "\(back)")
        #expect(try await fixture.title() == "1")
        // The target of a link may change.
        let outside = root.folder.path + "/outside.so"
        try FileManager.default.moveItem(atPath: fixture.installed, toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: fixture.installed, withDestinationPath: outside)
        #expect(try await host("install", two, "--yes").ending == .code(0))
        var status = stat()
        #expect(stat(outside, &status) == 0 && status.st_nlink == 1)
        #expect(try await host("rollback", "version", "--yes").ending == .code(0))
        #expect(try await fixture.title() == "1")
    }

    @Test("A change that fails after its rename is undone")
    func undone() async throws {
        #expect(try await host("install", try await fixture.packed("1"), "--yes").ending == .code(0))
        #expect(try await host("lock").ending == .code(0))
        // No file can grow, so the new lock cannot be written.
        let full = "set -o pipefail; (ulimit -f 0; trap '' XFSZ; exec \"$0\" \"$@\") 2>&1 | cat"
        let removed = try await root.host(
            ["remove", "version", "--yes"], under: ["/bin/bash", "-c", full], environment: fixture.state)
        #expect(removed.ending == .code(74) && removed.text.contains("File too large"), "\(removed)")
        #expect(try await fixture.title() == "1")
    }

    @Test("host lock waits while another command changes the installed modules")
    func waiting() async throws {
        #expect(try await host("install", try await fixture.packed("1"), "--yes").ending == .code(0))
        let descriptor = open(fixture.versions + "/.lock", O_RDWR | O_CLOEXEC)
        #expect(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let result = try await root.host(["lock"], under: ["timeout", "3"], environment: fixture.state)
        #expect(result.ending == .code(124), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(root.path)/Manifests/modules.lock"))
        close(descriptor)
        #expect(try await host("lock").ending == .code(0))
    }

    @Test("A library that a host could not use is refused, and nothing changes")
    func refused() async throws {
        #expect(try await host("install", try await fixture.packed("1"), "--yes").ending == .code(0))
        let before = try Data(contentsOf: URL(filePath: fixture.installed))
        let unpacked = "\(root.folder.path)/plain/libVersion.so"
        try FileManager.default.createDirectory(atPath: "\(root.folder.path)/plain", withIntermediateDirectories: true)
        try copyFile(await ModuleFixture.version("3").compiled(), to: unpacked)
        let text = try root.folder.write("text", to: "text.so")
        for (file, code, cause) in [
            (unpacked, 78, "it contains no manifest\n  fix: run host pack \(unpacked) MANIFEST.json\n"),
            (text, 78, "cannot use library \"\(text)\": it contains no manifest"),
            ("/nonexistent.so", 66, "cannot read library \"/nonexistent.so\": No such file or directory"),
            (try await fixture.packed("4", health: "abort()"), 78, "signal 6 (Aborted)"),
            (try await fixture.packed("5", health: "throw Fault()"), 70, "it threw Fault()"),
            (try await fixture.packed("6", routes: ["elsewhere"]), 70, "does not register"),
        ] {
            let result = try await host("install", file, "--yes")
            #expect(result.ending == .code(Int32(code)) && result.errors.contains(cause), "\(result)")
            #expect(try Data(contentsOf: URL(filePath: fixture.installed)) == before)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").sorted()
                == [".versions", "CompanyList", "libVersion.so"])
    }

    @Test("A separate manifest, another module and a missing --yes keep a library from being installed")
    func conflicts() async throws {
        let library = try await fixture.packed("1")
        let silent = try await host("install", library)
        #expect(silent.ending == .code(64) && silent.errors.contains("give --yes"), "\(silent)")
        try root.add(.version())
        let separate = try await host("install", library, "--yes")
        #expect(separate.ending == .code(78), "\(separate)")
        #expect(
            separate.errors == """
                host: cannot install module "version": Manifests/version.json describes it, and would take precedence over the manifest in the library
                  fix: remove Manifests/version.json to let the library describe the module, then retry

                """)
        let removal = try await host("remove", "version", "--yes")
        #expect(removal.ending == .code(78) && removal.errors.contains("so it is not one file"), "\(removal)")
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        try root.add(ManifestText("other", library: "libOther.so", routes: ["version"]))
        let contested = try await host("install", library, "--yes")
        #expect(contested.ending == .code(78), "\(contested)")
        #expect(contested.errors.contains("module \"other\" already declares its route \"version\""))
        #expect(try await host("remove", "nothing", "--yes").errors.contains("no module has this name"))
        let none = try await host("rollback", "version", "--yes")
        #expect(none.ending == .code(66) && none.errors.contains("has no earlier version"), "\(none)")
    }

    @Test("On a terminal, the command shows the change and asks")
    func question() async throws {
        let library = try await fixture.packed("1")
        for (answer, isInstalled) in [("n", false), ("", false), ("y", true)] {
            let terminal = try root.terminal("install", library, environment: fixture.state)
            let shown = try await terminal.wait(for: "Install it? [y/N] ")
            #expect(shown.contains("version 1.0.0 (new)\n  + route version\n"), "\(shown)")
            try terminal.type("\(answer)\n")
            let end = try await terminal.end()
            #expect(end.ending == .code(0), "\(end)")
            #expect(end.shown.contains(isInstalled ? "Installed version 1.0.0" : "Nothing has changed."), "\(end)")
            #expect(FileManager.default.fileExists(atPath: fixture.installed) == isInstalled)
        }
    }

    @Test("A module is installed before the provider that it requires, with a note")
    func early() async throws {
        let library = "\(root.folder.path)/libTeller.so"
        try copyFile(await ModuleFixture.teller.compiled(), to: library)
        let manifest = try root.folder.write(ManifestText.teller().text, to: "teller.json")
        #expect(try await ChildProcess(Products.host, ["pack", library, manifest]).run().ending == .code(0))
        let result = try await host("install", library, "--yes")
        #expect(result.ending == .code(0) && result.text.contains("It cannot be used yet: "), "\(result)")
    }

    @Test("A serving host follows a change at once, and answers the same changes over JSON-RPC")
    func served() async throws {
        let (one, two) = (try await fixture.packed("1"), try await fixture.packed("2"))
        let serving = try await ServingHost(root, environment: fixture.state)
        let client = try serving.client()
        #expect(try await host("install", one, "--yes").ending == .code(0))
        try await client.wait(for: #""title":"1""#)
        let installed = try await client.call("install", #"{"file":"\#(two)"}"#)
        #expect(installed.contains(#""from":"1.0.0""#) && installed.contains(#""to":"2.0.0""#), "\(installed)")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"2""#))
        #expect(try await client.call("rollback", #"{"module":"version"}"#).contains(#""to":"1.0.0""#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("modules").contains(#""earlier":[{"version":"2.0.0"}]"#))
        #expect(try await client.call("remove", #"{"module":"version"}"#).contains(#""from":"1.0.0""#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("route-unknown"))
        #expect(try await client.call("install", #"{"file":"libVersion.so"}"#).contains("arguments-invalid"))
        #expect(try await client.call("remove", #"{"module":"version"}"#).contains("module-unknown"))
        serving.send(SIGTERM)
        #expect(try await serving.end() == .code(0))
    }
}
