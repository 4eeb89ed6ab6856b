import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Changes of modules that have no generation.
struct IdleModulesTests {
    private let registry = Registry(wiring: ServiceWiring(hostServices: []))

    private func record(_ module: String) throws -> ModuleRecord {
        try #require(registry.snapshot.module(from: "Manifests/\(module).json"))
    }

    private func activate(_ module: String) throws {
        let record = try record(module)
        let wiring = Wiring(of: record, in: registry.snapshot, isIsolated: false)
        #expect(registry.activate(record, as: try generation(of: record, wiring: wiring)))
    }

    @Test("Idle modules change in a single step, except those that would be refused, and may exchange their names")
    func single() throws {
        registry.register([try catalogEntry("a"), try catalogEntry("b"), try catalogEntry("c"), try catalogEntry("d")])
        registry.resolve()
        try activate("d")
        let newer = [
            try catalogEntry("b", file: "a.json"), try catalogEntry("a", file: "b.json"),
            try catalogEntry("c", requires: ["missing"]), try catalogEntry("d", routes: ["late"]),
        ]
        let skipped = registry.takeUsable(newer)
        #expect(skipped.map(\.file) == ["Manifests/c.json", "Manifests/d.json"])
        #expect(try record("a").name == "b" && record("b").name == "a")
        #expect(try record("a").revision == record("b").revision)
        #expect(try record("c").state == .resolved && record("d").state == .active)
        #expect(registry.takeUsable([try catalogEntry("unknown"), try catalogEntry("c", routes: ["more"])]).count == 1)
        #expect(registry.snapshot.routes["more"]?.module == "c")
    }

    @Test("Retired modules stay retired")
    func retired() throws {
        registry.register([try catalogEntry("a"), try catalogEntry("b")])
        registry.resolve()
        registry.retire("Manifests/a.json")
        #expect(registry.takeUsable([try catalogEntry("a"), try catalogEntry("b")]).count == 1)
        #expect(try record("a").state == .retired)
    }

    @Test("No idle module changes in this step if a loaded module would lose its provider")
    func providerOfLoaded() throws {
        registry.register([
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", provides: ["s"]), try catalogEntry("c"),
        ])
        registry.resolve()
        try activate("a")
        let newer = [try catalogEntry("b"), try catalogEntry("c", routes: ["list"])]
        #expect(registry.takeUsable(newer).count == 2)
        #expect(try record("a").state == .active)
        #expect(registry.snapshot.routes["list"] == nil)
    }
}
