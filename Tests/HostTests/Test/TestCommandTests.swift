import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct TestCommandTests {
    private static let integer =
        #"{ "name": "mistyped", "summary": "s", "parameters": [{ "name": "count", "type": "integer", "summary": "s" }] }"#

    /// Returns a root with the faulty module and one route.
    private func root(_ route: String, requires: [String] = []) async throws -> ScratchRoot {
        let root = try ScratchRoot()
        let name = route.hasPrefix("{") ? String(route.split(separator: "\"")[3]) : route
        var manifest = ManifestText.faulty(name, route: route)
        manifest.requires = requires
        try await root.add(.faulty, manifest)
        return root
    }

    /// The checks open and press thousands of times, which a debug build does slowly. `.ci/run` also runs these tests with
    /// a release build.
    private static let bundledModules =
        ["people", "sqlite"] + (Products.areOptimized ? ["company-list", "account", "todo", "http-client"] : [])

    @Test("The bundled modules pass every check", arguments: bundledModules)
    func bundled(module: String) async throws {
        let root = try ScratchRoot()
        let others = ["people", "alert", "details", "account", "todo", "sqlite", "http-client"]
        for other in others { try root.copyManifest(other) }
        let result = try await root.host("test", module)
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        #expect(result.text.split(separator: "\n").count == 11)
        // Modules without routes have no scene to check.
        #expect(result.text.contains("  -       memory: ") == ["sqlite", "http-client"].contains(module))
        #expect(result.text.contains("  passed  data-provider: ") == (module == "sqlite"))
        #expect(!result.text.contains("FAILED"))
        #expect(try root.temporaryFolders() == [])
    }

    @Test(
        "Each fault is found and named by its check",
        arguments: [
            ("crash", "routes", "the process was terminated by signal "),
            ("crash", "routes", "Index out of range"),
            ("exit", "routes", "the process exited with code 0"),
            ("refused", "routes", "cannot open route \"refused\": cannot read \"x.json\": there is none"),
            ("lines", "routes", "cannot read \"x.json\": one\n            two\n"),
            ("hang", "routes", "the check took longer than 2 s"),
            (integer, "parameters", "\"count\""),
            (
                "denied", "services",
                "cannot resolve service \"file-reader\": the module \"faulty\" does not require it; "
                    + "requested by: module faulty"
            ),
            ("twins", "routes", "on the screen of \"twins\", two rows have the ID \"twin\""),
            ("press", "events", "on a screen reached from \"press\", two rows have the ID \"twin\""),
            (
                "cycle", "memory",
                "FaultyView is still alive after \"cycle\" was closed; fix: make the reference back to it weak"
            ),
            // About 1,040 bytes for each open. The allocator's own tables and caches add or hide a few kilobytes.
            ("grow", "growth", "1,000 opens of \"grow\" leak 10"),
            ("brittle", "events", "Fatal error: brittle"),
            ("brittle", "events", "last step: brittle: press(action: \"no such action\")"),
        ])
    func faults(route: String, check: String, fault: String) async throws {
        let root = try await root(route)
        let result = try await root.host(
            "test", "faulty", "--check", check, "--time-limit", route == "hang" ? "2" : "60")
        #expect(result.ending == .code(1), "\(result)")
        #expect(result.text.contains("\n  FAILED  \(check): ") && result.text.contains(fault), "\(result)")
        #expect(result.errors == "host: cannot verify module \"faulty\": 1 of 1 checks failed\n")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("Checks need no /dev/null")
    func bareSystem() async throws {
        let hiding = ["-rm", "sh", "-c", "mount -t tmpfs none /dev && exec \"$@\"", "sh"]
        // Some containers forbid namespaces.
        guard try await ChildProcess("unshare", hiding + ["true"]).run().ending == .code(0) else { return }
        let root = try ScratchRoot()
        try root.copyManifest("details")
        let result = try await root.host(
            ["test", "company-list", "--check", "routes"], under: ["unshare"] + hiding)
        #expect(result.ending == .code(0), "\(result)")
    }

    @Test("A module that cannot be created fails every check with the reason")
    func unmade() async throws {
        let root = try await root("fine", requires: ["logger"])
        try root.folder.write(#"{"workerEnvironment": ["FAULTY_MAKE"]}"#, to: "root/host.json")
        let result = try await root.host("test", "faulty", environment: ["FAULTY_MAKE": "1"])
        let lines = result.text.split(separator: "\n").dropFirst()
        #expect(lines.filter { $0.hasPrefix("  FAILED  ") }.count == 9, "\(result)")
        #expect(lines.filter { $0 == "          cannot create module \"faulty\": it threw Unmade()" }.count == 9)
        #expect(lines.count == 19 && lines.last?.hasPrefix("  -       data-provider: ") == true, "\(result)")
    }

    @Test("A crash is reported with its signal in every check")
    func crash() async throws {
        let checks = ["routes", "services", "memory", "growth", "generations", "events"]
        let result = try await root("crash").host("test", "faulty") { child in
            child.arguments += checks.flatMap { ["--check", $0] }
        }
        let faults = result.text.split(separator: "\n").filter { $0.contains("last step: ") }
        #expect(faults.count == checks.count, "\(result)")
        #expect(
            Set(faults).count == 1 && faults.first?.contains("the process was terminated by signal ") == true,
            "\(faults)")
    }

    @Test(
        "A module that exits early or writes answers to every descriptor fails each check",
        arguments: [
            ("exit", "initialiser", "the process exited with code 0; last step: create hostile"),
            (
                "answer", "initialiser",
                "the process sent a message that answers no question (a response to an unknown call)"
            ),
            (
                "exit", "event",
                "the process exited with code 0; last step: hostile: "
            ),
        ])
    func forged(deed: String, place: String, fault: String) async throws {
        let root = try ScratchRoot()
        try root.add(.hostile)
        try root.add(library: await ModuleFixture.hostile(deed, in: place), as: "libHostile.so")
        let result = try await root.host("test", "hostile") { child in
            if place == "event" { child.arguments += ["--check", "events"] }
        }
        let lines = result.text.split(separator: "\n").filter { !$0.hasPrefix("          | ") }.dropFirst()
        let faults = lines.filter { $0.hasPrefix("          ") }
        #expect(result.ending == .code(1) && !result.text.contains("passed"), "\(result)")
        #expect(faults.count == (place == "event" ? 1 : 9) && faults.allSatisfy { $0.contains(fault) }, "\(result)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A data provider that drops every insert fails the check of data providers")
    func provider() async throws {
        let root = try ScratchRoot()
        var manifest = ManifestText("dropper", library: "libDropper.so", routes: [])
        manifest.provides = ["data-provider"]
        try await root.add(.dropper, manifest)
        let result = try await root.host("test", "dropper")
        #expect(result.ending == .code(1))
        let failed = result.text.split(separator: "\n").filter { $0.hasPrefix("  FAILED") }
        #expect(failed == ["  FAILED  data-provider: the data provider follows the documented rules"], "\(result)")
        #expect(
            result.text.contains(
                "          records keep the order in which they were inserted: the collection \"members\" is [], expected [("
            ))
        #expect(result.text.contains("an acknowledged record survives a restart of the host: found 0 of 1 records\n"))
    }

    @Test("A module that crashes without a service fails only the check of missing services")
    func needy() async throws {
        let root = try await root("needy", requires: ["logger"])
        let result = try await root.host("test", "faulty")
        #expect(result.ending == .code(1))
        let failed = result.text.split(separator: "\n").filter { $0.hasPrefix("  FAILED") }
        #expect(
            failed == ["  FAILED  missing-services: a missing service does not crash the process"],
            "\(result)")
    }

    @Test("A module that registers a route that its manifest does not declare fails")
    func undeclared() async throws {
        let root = try ScratchRoot()
        try await root.add(.palette, .palette)
        #expect(try await root.host("test", "palette", "--check", "arguments").ending == .code(0))
        var less = ManifestText.palette
        less.routes.removeAll { $0 == "palette/first" }
        try root.add(less)
        let result = try await root.host("test", "palette", "--check", "arguments")
        let difference = "its code registers the route \"palette/first\", but its manifest does not declare it"
        #expect(result.ending == .code(1) && result.text.contains(difference), "\(result)")
        #expect(try await root.host("run", "palette") { $0.arguments.append("tone=red") }.ending == .code(0))
    }

    @Test("A service that a scene resolves is not a leak")
    func busy() async throws {
        let root = try await root("busy", requires: ["data-provider"])
        let result = try await root.host("test", "faulty", "--check", "memory")
        #expect(result.ending == .code(0), "\(result)")
    }

    @Test("A value for a route's parameter can be given")
    func given() async throws {
        let day =
            #"{ "name": "dated", "summary": "s", "parameters": [{ "name": "day", "type": "string", "summary": "s" }] }"#
        let root = try await root(day)
        #expect(try await root.host("test", "faulty", "--check", "routes").ending == .code(1))
        #expect(try await root.host("test", "faulty", "day=2026-11-21", "--check", "routes").ending == .code(0))
    }

    @Test("A check ends with its host, and the next host removes its leftovers")
    func orphan() async throws {
        let root = try await root("hang")
        try root.copyManifest("details")
        let session = try root.terminal("test", "faulty", "--check", "routes", "--time-limit", "3000")
        func checks() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
                let words = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
                return words?.range(of: Data("\0\(root.path)\0".utf8)) != nil
            }
        }
        // The host and its check.
        try #require(try await eventually { try checks().count >= 2 })
        try session.type("\u{3}")
        #expect(try await session.end().ending == .signal(SIGINT))
        #expect(try await eventually { try checks().isEmpty })
        #expect(try await root.host("test", "company-list", "--check", "routes").ending == .code(0))
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A module's standard output is not taken for the result")
    func chatty() async throws {
        let result = try await root("chatty").host("test", "faulty", "--check", "routes")
        #expect(result.ending == .code(0) && result.text.contains("  passed  routes: "), "\(result)")
    }

    @Test("The JSON result lists each check with its faults")
    func json() async throws {
        let result = try await root("cycle").host(
            "test", "faulty", "--check", "memory", "--check", "routes", "--format", "json")
        let report = try JSONDecoder().decode(Report.self, from: result.output)
        #expect(report.module == "faulty" && report.checks.map(\.check) == ["memory", "routes"])
        #expect(report.checks.map(\.faults.isEmpty) == [false, true])
        #expect(result.ending == .code(1))
    }

    @Test("A library is tested by its path, with the manifest that it carries or that names it")
    func library() async throws {
        let root = try await root("fine")
        let elsewhere = root.folder.path + "/libfine.so"
        try FileManager.default.moveItem(atPath: "\(root.path)/Plugins/libfine.so", toPath: elsewhere)
        let named = try await root.host("test", elsewhere, "--check", "routes")
        #expect(named.text == "faulty 1.0.0\n  passed  routes: every declared route opens\n", "\(named)")
        try root.folder.write(
            ManifestText.faulty("fine", route: "crash").text, to: "crash.json")
        let packed = try await ChildProcess(
            Products.host, ["pack", elsewhere, root.folder.path + "/crash.json"]
        ).run()
        #expect(packed.ending == .code(0), "\(packed)")
        #expect(try await root.host("test", elsewhere, "--check", "routes").ending == .code(1))
        try FileManager.default.copyItem(atPath: Products.companyList, toPath: root.folder.path + "/libOther.so")
        let unknown = try await root.host("test", root.folder.path + "/libOther.so")
        #expect(unknown.ending == .code(78) && unknown.errors.contains("it contains no manifest"), "\(unknown)")
    }

    @Test("A setting that no check can use is one error, and no check runs")
    func settings() async throws {
        let result = try await ScratchRoot().host("test", "company-list", "--use", "data-provider=nosuch")
        #expect(result.ending == .code(78) && result.text == "", "\(result)")
        #expect(result.errors.hasPrefix("host: cannot use provider \"data-provider=nosuch\": "))
    }

    @Test("An unknown module, library or check is an error")
    func unknown() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("test", "company-lits")
        #expect(result.ending == .code(69) && result.errors.contains("did you mean  company-list"), "\(result)")
        #expect(try await root.host("test", "/nonexistent.so").ending == .code(66))
        #expect(try await root.host("test", "company-list", "--check", "all").ending == .code(64))
        #expect(try await root.host("test", "company-list", "--time-limit", "-1").ending == .code(64))
        #expect(try root.temporaryFolders() == [])
    }

    private struct Report: Decodable {
        struct Check: Decodable {
            var check: String
            var faults: [String]
        }
        var module: String
        var checks: [Check]
    }
}
