import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleIsolation
@testable import ModuleRuntime
@testable import ViperRuntime

@MainActor
@Suite(.fewAtOnce, .hangLimit)
struct ReplacementTests {
    private let root: ChangingRoot

    init() throws { root = try ChangingRoot() }

    private func title(_ host: ViperHost, _ route: String = "version") async throws -> String {
        let window = try await host.opened(route)
        defer { window.closeAll() }
        return window.screen.title
    }

    private func record(_ host: ViperHost, _ name: String = "version") throws -> ModuleRecord {
        try #require(host.registry.snapshot.modules.first { $0.name == name })
    }

    @Test("New scenes use the new code, and open scenes keep the old code until they close")
    func replace() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        let old = try await host.opened("version")
        try await root.put(.version("2"), as: "libVersion.so")
        await host.rescan()
        #expect(try await title(host) == "2")
        try await old.handle(.press(action: "go"))
        #expect(old.screen.text == "went with 1")
        let history = try record(host).history
        #expect(history.draining.map(\.number) == [1])
        #expect(try record(host).generation?.number == 2)
        old.closeAll()
        #expect(await eventually { history.draining.isEmpty })
        #expect(history.retired == 1)
        #expect(history.loads == 2)
        let numbers = try #require(await host.statistics().first)
        #expect(numbers.generations == 2 && numbers.generation == 2 && numbers.openScenes == 0 && numbers.retired == 1)
        // Two views made, two loads and one event.
        #expect(numbers.calls == 5 && numbers.failures == 0 && numbers.seconds > 0)
        #expect(numbers.retiredMemory > 4096)
        await host.shutDown()
    }

    @Test("A rejected version of an unloaded module stays rejected until the reason is gone, and is then used")
    func rejected() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        var newer = ManifestText.version(routes: ["version", "newer"])
        newer.requires = ["word"]
        try root.put(newer)
        for _ in 0..<3 {
            await host.rescan()
            #expect(try record(host).rejection?.code == .requirementUnmet)
            #expect(try record(host).manifest?.requires == [])
        }
        try await root.put(.keeper("a"), .keeper)
        await host.rescan()
        #expect(try record(host).rejection == nil)
        #expect(try record(host).manifest?.requires == ["word"])
        #expect(host.registry.snapshot.routes["newer"] != nil)
        await host.shutDown()
    }

    @Test("Modules that exchange their manifest files are both used")
    func exchanged() async throws {
        try await root.put(.version("1"), .version())
        var twin = ManifestText("twin", library: "libVersion.so", routes: ["twin"])
        try root.put(twin)
        let host = try root.host()
        let folder = root.path + "/Manifests"
        for (old, new) in [("version", "other"), ("twin", "version"), ("other", "twin")] {
            try FileManager.default.moveItem(atPath: "\(folder)/\(old).json", toPath: "\(folder)/\(new).json")
        }
        await host.rescan()
        #expect(try record(host).file == "Manifests/twin.json")
        #expect(try record(host, "twin").file == "Manifests/version.json")
        #expect(host.registry.snapshot.modules.allSatisfy { $0.state == .resolved && $0.rejection == nil })
        twin.routes = ["twin", "more"]
        try root.scratch.write(twin.text, to: "root/Manifests/version.json")
        await host.rescan()
        #expect(host.registry.snapshot.routes["more"]?.module == "twin")
        await host.shutDown()
    }

    @Test("A summary that differs only in the form of its Unicode characters is a change")
    func unicode() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        for summary in ["caf\u{E9}", "cafe\u{301}"] {
            let route = #"{ "name": "version", "summary": "\#(summary)" }"#
            try root.put(ManifestText.version(routes: [route]))
            await host.rescan()
            let found = try #require(host.registry.snapshot.routes["version"]?.route.summary)
            #expect(Array(found.utf8) == Array(summary.utf8))
        }
        await host.shutDown()
    }

    @Test("A rescan without a watcher follows a symbolic link at the root to its new target")
    func switchedRoot() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        let old = try await host.opened("version")
        let files = FileManager.default
        try files.moveItem(atPath: root.path, toPath: "\(root.scratch.path)/one")
        try files.createSymbolicLink(atPath: root.path, withDestinationPath: "one")
        await host.rescan()
        #expect(try record(host).generation?.number == 1)
        try files.copyItem(atPath: "\(root.scratch.path)/one", toPath: "\(root.scratch.path)/two")
        try files.removeItem(atPath: root.path)
        try files.createSymbolicLink(atPath: root.path, withDestinationPath: "two")
        try await root.put(.version("2"), as: "libVersion.so")
        await host.rescan()
        #expect(try await title(host) == "2")
        try await old.handle(.press(action: "go"))
        #expect(old.screen.text == "went with 1")
        old.closeAll()
        await host.shutDown()
    }

    @Test("A library with unchanged content is not replaced")
    func sameContent() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        #expect(try await title(host) == "1")
        try await root.put(.version("1"), as: "libVersion.so")
        await host.rescan()
        #expect(try record(host).generation?.number == 1)
        #expect(try record(host).rejection == nil)
        await host.shutDown()
    }

    @Test(
        "An unusable replacement is rejected and logged, and the old module stays in use",
        arguments: ["making", "health", "truncated", "no library", "no manifest", "another module"])
    func unusableReplacement(_ kind: String) async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        #expect(try await title(host) == "1")
        let log = host.logChanges()
        let expected: ViperError.Code
        switch kind {
        case "making":
            try await root.put(.version("2", making: "throw Fault()"), as: "libVersion.so")
            expected = .moduleFailed
        case "health":
            try await root.put(.version("2", health: "throw Fault()"), as: "libVersion.so")
            expected = .moduleFailed
        case "truncated":
            let whole = try Data(contentsOf: URL(filePath: await ModuleFixture.version("2").compiled()))
            try root.put(whole.prefix(whole.count / 2), as: "libVersion.so")
            expected = .libraryInvalid
        case "no library":
            try root.remove("Plugins/libVersion.so")
            expected = .libraryMissing
        case "no manifest":
            try root.scratch.write("{", to: "root/Manifests/version.json")
            expected = .manifestInvalid
        default:
            try await root.put(.keeper("x"), as: "libVersion.so")
            expected = .moduleFailed
        }
        await host.rescan()
        #expect(try record(host).rejection?.code == expected)
        #expect(try await title(host) == "1")
        #expect(await eventually { root.log.all.contains { $0.contains("keeps module version 1.0.0: ") } })
        try await root.put(.version("3"), .version())
        await host.rescan()
        #expect(try await title(host) == "3")
        #expect(try record(host).rejection == nil)
        log.cancel()
        await log.value
        await host.shutDown()
    }

    @Test("A module that was never opened is replaced without being loaded")
    func neverOpened() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        try await root.put(.version("2"), .version(routes: ["version", "other"]))
        await host.rescan()
        #expect(try record(host).history.loads == 0)
        #expect(try await title(host, "other") == "2")
        await host.shutDown()
    }

    @Test("An added module answers, a removed one does not, and its open scenes continue")
    func addAndRemove() async throws {
        let host = try root.host()
        #expect(host.registry.snapshot.modules.isEmpty)
        try await root.put(.version("1"), .version())
        await host.rescan()
        let open = try await host.opened("version")
        try root.remove("Manifests/version.json")
        await host.rescan()
        let gone = try await #require(throws: ViperError.self) { try await host.opened("version") }
        #expect(gone.code == .routeUnknown)
        try await open.handle(.press(action: "go"))
        #expect(open.screen.text == "went with 1")
        open.closeAll()
        // Adding the same module again continues its generation numbers.
        try root.put(.version())
        await host.rescan()
        #expect(try await title(host) == "1")
        #expect(try record(host).generation?.number == 2)
        await host.shutDown()
    }

    @Test("A new module is refused a route in use, and gets it when the owner is removed")
    func newcomer() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        var other = ManifestText("other", library: "libOther.so", routes: ["version", "mine"])
        try await root.put(.version("other"), other)
        await host.rescan()
        #expect(try await title(host) == "1")
        #expect(try await title(host, "mine") == "other")
        #expect(host.registry.snapshot.lostRoutes(of: try record(host, "other")).map(\.route.name) == ["version"])
        // A newer version of `other` has no better claim. A newer version of `version` keeps its own.
        other.routes = ["version", "mine", "more"]
        try root.put(other)
        try await root.put(.version("2"), as: "libVersion.so")
        await host.rescan()
        #expect(try await title(host) == "2")
        #expect(try await title(host, "more") == "other")
        try root.remove("Manifests/version.json")
        await host.rescan()
        #expect(try await title(host) == "other")
        await host.shutDown()
    }

    @Test("Two modules that are added together with the same route both lose it")
    func together() async throws {
        let host = try root.host()
        try await root.put(.version("1"), .version())
        try await root.put(.version("2"), ManifestText("other", library: "libOther.so", routes: ["version"]))
        await host.rescan()
        let error = try await #require(throws: ViperError.self) { try await host.opened("version") }
        #expect(error.code == .routeContested)
    }

    @Test("A second manifest with a name in use is refused, and the first stays active")
    func sameName() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        #expect(try await title(host) == "1")
        try root.scratch.write(ManifestText.version(routes: ["twin"]).text, to: "root/Manifests/a-copy.json")
        await host.rescan()
        #expect(try await title(host) == "1")
        let states = host.registry.snapshot.modules.map { "\($0.file) \($0.state.name)" }
        #expect(states == ["Manifests/a-copy.json refused", "Manifests/version.json active"])
        await host.shutDown()
    }

    @Test("The registry's change stream reports each change")
    func changes() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        var heard = host.registry.changes().makeAsyncIterator()
        _ = try await title(host)
        #expect(await heard.next().map { "\($0.module) \($0.state) \($0.generation ?? 0)" } == "version active 1")
        try await root.put(.version("2"), as: "libVersion.so")
        await host.rescan()
        #expect(await heard.next().map { "\($0.module) \($0.state) \($0.generation ?? 0)" } == "version active 2")
        try root.remove("Manifests/version.json")
        await host.rescan()
        #expect(await heard.next()?.state == "retired")
        await host.shutDown()
    }

    @Test("A host that has shut down adds no modules")
    func shutDown() async throws {
        let host = try root.host()
        await host.shutDown()
        try await root.put(.version("1"), .version())
        await host.rescan()
        #expect(host.registry.snapshot.modules.isEmpty)
    }

    @Test("A rejected library is retried when it leaves quarantine, even if its files are unchanged")
    func retried() async throws {
        try await root.put(.version("1"), .version())
        let host = try root.host()
        #expect(try await title(host) == "1")
        let flag = try root.scratch.write("", to: "flag")
        let making = "if fopen(\"\(flag)\", \"r\") != nil { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }"
        let crashing = ModuleFixture.version("2", making: making)
        try await root.put(ModuleFixture(crashing.name, "import Glibc\n" + crashing.source), as: "libVersion.so")
        await host.rescan()
        #expect(try record(host).rejection?.code == .libraryQuarantined)
        #expect(try await title(host) == "1")
        try root.remove("../flag")
        for report in try host.quarantine.all() { try host.quarantine.remove(report.digest) }
        await host.rescan()
        #expect(try record(host).rejection == nil)
        #expect(try await title(host) == "2")
        await host.shutDown()
    }

    @Test("A packed module stays active when an invalid manifest would take its place")
    func hidden() async throws {
        try root.put(try Data(contentsOf: URL(filePath: await root.packed())), as: "libVersion.so")
        let host = try root.host()
        #expect(try await title(host) == "1")
        try root.scratch.write("{", to: "root/Manifests/version.json")
        await host.rescan()
        #expect(try await title(host) == "1")
        let record = try #require(host.registry.snapshot.module(from: "Plugins/libVersion.so"))
        #expect(record.state == .active && record.rejection?.code == .manifestInvalid)
        await host.shutDown()
    }
}
