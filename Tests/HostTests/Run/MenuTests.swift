import Foundation
import HostDriver
import TestSupport
import Testing

/// The bundled launcher, in the built host.
@Suite(.fewAtOnce, .hangLimit)
struct MenuTests {
    private func root() throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("launcher")
        return root
    }

    /// The companies as the menu opens them: the list, with a search and a chart.
    private static let companies =
        RunTests.list.replacing("People by company\n", with: "Companies\n") + """
              Search   []  (name of a person or company)
              [chart] Balances by company
              [refresh] Refresh

            """

    @Test("Without a route, the menu opens, and a selected entry opens above it")
    func menu() async throws {
        let root = try root()
        #expect(try await root.host("run").text == "Menu\n  Companies\n")
        let opened = try await root.host("run", "--select", "company-list list/search").text
        #expect(opened == Self.companies, "\(opened)")
    }

    @Test("A module that is dropped in adds its entry while the menu is open, and takes it away when it is removed")
    func live() async throws {
        let root = try root()
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        #expect(try await client.call("open", #"{"route":"launcher"}"#).contains("Companies"))
        var manifest = ManifestText.version()
        manifest.contributes = #"{ "menu": [{ "title": "A newcomer", "route": "version" }, { "title": 7 }] }"#
        try await root.add(.version("1"), manifest)
        let screen = try await client.line(with: "A newcomer")
        #expect(screen.contains("Not usable") && screen.contains("expected a string, found a number"), "\(screen)")
        let opened = try await client.call("event", #"{"scene":1,"event":{"select":"version version"}}"#)
        #expect(opened.contains(#""title":"1""#), "\(opened)")
        let other = try host.client()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        var (menu, scene) = ("A newcomer", 0)
        while menu.contains("A newcomer") {
            menu = try await other.call("open", #"{"route":"launcher"}"#)
            scene += 1
            _ = try await other.call("close", #"{"scene":\#(scene)}"#)
        }
        #expect(menu.contains("Companies"))
    }

    @Test("After 1,000 quick changes of manifests, an open menu and a new one show what the root contains")
    func quickChanges() async throws {
        let root = try root()
        try root.copy(await ModuleFixture.version("1").compiled(), to: "libVersion.so")
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        #expect(try await client.call("open", #"{"route":"launcher"}"#).contains("Companies"))
        var entries: [String: String] = [:]
        var (random, removals) = (UInt32(1), 0)
        for change in 1_000..<2_000 {
            random = random &* 1_664_525 &+ 1_013_904_223
            let name = "m\((random >> 16) % 20)"
            if entries[name] != nil, (random >> 8) % 3 == 0 {
                try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/\(name).json")
                entries[name] = nil
                removals += 1
                continue
            }
            var manifest = ManifestText(name, library: "libVersion.so", routes: [name])
            manifest.contributes = #"{ "menu": [{ "title": "Entry \#(change)", "route": "\#(name)" }] }"#
            try root.add(manifest)
            entries[name] = "Entry \(change)"
        }
        #expect(removals > 100)
        let expected = entries.values.sorted()
        func titles(_ text: String) -> [String] { text.matches(of: /"title":"(Entry \d+)"/).map { String($0.1) } }
        var shown: [String] = []
        while shown != expected { shown = titles(try await client.line(with: #""method":"screen""#)) }
        let menu = try await host.client().call("open", #"{"route":"launcher"}"#)
        #expect(titles(menu) == expected && menu.contains("Companies"), "\(menu)")
        // An entry leads to its module.
        let (name, _) = try #require(entries.first)
        let opened = try await client.call("event", #"{"scene":1,"event":{"select":"\#(name) \#(name)"}}"#)
        #expect(opened.contains(#""title":"1""#), "\(opened)")
    }

    @Test("The menu of an isolated launcher opens entries in the host, and follows the host's registry")
    func isolated() async throws {
        let root = try root()
        let opened = try await root.host(
            "run", "launcher", "--isolate", "launcher", "--select", "company-list list/search")
        #expect(opened.ending == .code(0) && opened.text == Self.companies, "\(opened)")
        let host = try await ServingHost(root, "--isolate", "launcher")
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        #expect(try await client.call("open", #"{"route":"launcher"}"#).contains("Companies"))
        #expect(try await client.workers().count == 1)
        var manifest = ManifestText.version()
        manifest.contributes = #"{ "menu": [{ "title": "A newcomer", "route": "version" }, { "title": 7 }] }"#
        try await root.add(.version("1"), manifest)
        let screen = try await client.line(with: "A newcomer")
        #expect(screen.contains("Not usable") && screen.contains("expected a string, found a number"), "\(screen)")
    }

    @Test("A module that uses windows, or that guards routes, cannot be isolated, and host modules says why")
    func notIsolated() async throws {
        let root = try root()
        for name in ["account", "http-client"] { try root.copyManifest(name) }
        var front = ManifestText.version()
        front.requires = ["windows"]
        try await root.add(.version("1"), front)
        try root.folder.write(#"{"isolate": ["version", "account"]}"#, to: "root/host.json")
        let modules = try await root.host("modules")
        for cause in [
            #"cannot isolate "version": it uses "windows", which exists only in the host's process"#,
            #"cannot isolate "account": it provides "route-guard", and a service cannot be used from another process"#,
        ] { #expect(modules.text.contains(cause), "\(modules)") }
    }
}
