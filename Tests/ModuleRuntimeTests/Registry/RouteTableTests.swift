import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

struct RouteTableTests {
    private func snapshot(_ entries: [CatalogEntry]) -> RegistrySnapshot {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register(entries)
        return registry.snapshot
    }

    @Test("A route belongs to the module that claims it")
    func one() throws {
        let routes = snapshot([try catalogEntry("b", routes: ["z", "people/add"]), try catalogEntry("a")]).routes
        #expect(routes.all.map(\.route.name) == ["people/add", "z"])
        let entry = try #require(routes["z"])
        #expect(entry.module == "b")
        #expect(entry.claimants == ["Manifests/b.json"])
        #expect(!entry.isContested)
        #expect(entry.route.summary == "Of b")
        #expect(routes["people"] == nil)
    }

    @Test("A contested route lists both manifests, in any order of registration", arguments: [false, true])
    func contested(isReversed: Bool) throws {
        let entries = [
            try catalogEntry("a", routes: ["list", "own-a"]), try catalogEntry("b", routes: ["list", "own-b"]),
        ]
        let routes = snapshot(isReversed ? entries.reversed() : entries).routes
        let entry = try #require(routes["list"])
        #expect(entry.isContested)
        #expect(entry.claimants == ["Manifests/a.json", "Manifests/b.json"])
        #expect(routes["own-a"]?.claimants == ["Manifests/a.json"])
        #expect(routes["own-b"]?.claimants == ["Manifests/b.json"])
    }

    @Test("A refused module does not contest a usable one")
    func refused() throws {
        let routes = snapshot([
            try catalogEntry("a", sdk: "9.0", routes: ["list"]), try catalogEntry("b", routes: ["list"]),
        ]).routes
        #expect(routes["list"]?.claimants == ["Manifests/b.json"])
    }

    @Test(
        "A route stays contested after one claimant is refused")
    func refusedLater() throws {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register([try catalogEntry("a", routes: ["list"]), try catalogEntry("b", routes: ["list"])])
        let record = try #require(registry.snapshot.module(from: "Manifests/b.json"))
        registry.refuse(
            record, because: ViperError(.moduleFailed, operation: "cannot make", subject: "b", cause: "of the test"))
        #expect(registry.snapshot.routes["list"]?.claimants == ["Manifests/a.json", "Manifests/b.json"])
    }

    @Test("A route stays contested after the provider of one claimant is refused")
    func providerRefusedLater() throws {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register([
            try catalogEntry("a", routes: ["list"]), try catalogEntry("b", routes: ["list"], requires: ["s"]),
            try catalogEntry("c", provides: ["s"]),
        ])
        let record = try #require(registry.snapshot.module(from: "Manifests/c.json"))
        registry.refuse(
            record, because: ViperError(.libraryMissing, operation: "cannot load", subject: "c", cause: "of the test"))
        #expect(registry.snapshot.module(from: "Manifests/b.json")?.state.refusal != nil)
        #expect(registry.snapshot.routes["list"]?.claimants == ["Manifests/a.json", "Manifests/b.json"])
    }

    @Test("A route that only a refused module claims is still known")
    func onlyRefused() throws {
        let routes = snapshot([try catalogEntry("a", sdk: "9.0", routes: ["list"])]).routes
        #expect(routes["list"]?.claimants == ["Manifests/a.json"])
    }

    @Test("A retired module's routes are removed")
    func retired() throws {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register([try catalogEntry("a", routes: ["list"]), try catalogEntry("b", routes: ["list"])])
        registry.retire("Manifests/a.json")
        #expect(registry.snapshot.routes["list"]?.claimants == ["Manifests/b.json"])
        registry.retire("Manifests/b.json")
        #expect(registry.snapshot.routes["list"] == nil)
        #expect(registry.snapshot.routes.all.isEmpty)
    }
}
