import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Changes of modules that have no generation.
struct IdleModulesTests {
    private let root = RootModel()

    private func register(_ entries: CatalogEntry...) throws {
        for entry in entries { root.put(entry) }
        root.reconcile()
        for file in root.next.steps.keys { try root.end(root.registry.snapshot.module(from: file)?.name ?? "") }
        #expect(root.next.steps.isEmpty)
    }

    private func record(_ module: String) throws -> ModuleRecord {
        try #require(root.registry.snapshot.module(from: RootModel.file(module)))
    }

    @Test("Idle modules change in a single step, except those that would be refused, and may exchange their names")
    func single() throws {
        try register(try catalogEntry("a"), try catalogEntry("b"), try catalogEntry("c"), try catalogEntry("d"))
        try root.activate("d")
        root.put(try catalogEntry("b", file: "a.json"))
        root.put(try catalogEntry("a", file: "b.json"))
        root.put(try catalogEntry("c", requires: ["missing"]))
        root.put(try catalogEntry("d", routes: ["late"]))
        root.reconcile()
        #expect(try record("a").name == "b" && record("b").name == "a")
        #expect(try record("a").revision == record("b").revision)
        #expect(try record("c").state == .resolved && record("d").state == .active)
        #expect(try record("c").rejection?.code == .requirementUnmet)
        #expect(try record("d").pending?.kind == .version)
        root.put(try catalogEntry("c", routes: ["more"]))
        root.reconcile()
        #expect(root.registry.snapshot.routes["more"]?.module == "c")
    }

    @Test("Retired modules stay retired until their files change")
    func retired() throws {
        try register(try catalogEntry("a"), try catalogEntry("b"))
        root.registry.retire("Manifests/a.json")
        root.reconcile()
        #expect(try record("a").state == .retired)
        root.put(try catalogEntry("a"))
        root.reconcile()
        #expect(try record("a").state == .resolved)
    }

    @Test("A provider that drops its service refuses the loaded module that requires it, in one step with its users")
    func providerOfLoaded() throws {
        try register(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", provides: ["s"]), try catalogEntry("c"))
        try root.activate("a")
        // The newer version of `a` does without the service, so both change together.
        root.put(try catalogEntry("a", routes: ["list"]))
        root.put(try catalogEntry("b"))
        root.reconcile()
        try root.end("b")
        #expect(try record("b").manifest?.provides == [] && record("a").state == .resolved)
        #expect(try record("a").pending?.kind == .trial)
        #expect(try record("a").revision == record("b").revision)
        #expect(root.registry.snapshot.routes["list"]?.module == "a")
    }
}
