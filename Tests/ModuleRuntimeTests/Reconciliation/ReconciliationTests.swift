import HostSystem
import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// The decision on how the registry follows the root, without files and processes.
struct ReconciliationTests {
    private let root = RootModel()

    private func start(_ entries: CatalogEntry...) throws {
        for entry in entries { root.put(entry) }
        root.reconcile()
        while let step = root.next.steps.values.first { try root.end(step.record.name) }
    }

    @Test("A new module is usable at once and is tried, and a failed trial refuses it")
    func arrival() throws {
        root.put(try catalogEntry("a"))
        root.put(try catalogEntry("b"))
        root.reconcile()
        #expect(root.states == ["a resolved trial", "b resolved trial"])
        try root.end("a")
        try root.end("b", .crash)
        #expect(root.states == ["a resolved", "b refused"])
        #expect(root.next.steps.isEmpty)
    }

    @Test("A newer version replaces a loaded module only after its generation was made")
    func replacement() throws {
        try start(try catalogEntry("a"))
        try root.activate("a")
        root.put(try catalogEntry("a", routes: ["new"]))
        root.reconcile()
        #expect(root.states == ["a active version"])
        #expect(root.registry.snapshot.routes["new"] == nil)
        try root.end("a")
        #expect(root.states == ["a active"])
        #expect(try root.record("a").generation?.number == 2 && root.registry.snapshot.routes["new"] != nil)
    }

    @Test("An outcome of files that have changed again is not applied")
    func outdated() throws {
        try start(try catalogEntry("a"), try catalogEntry("b"))
        try root.activate("a")
        root.put(try catalogEntry("a", routes: ["second"]))
        root.put(try catalogEntry("b", routes: ["other"]))
        root.reconcile()
        let (loaded, idle) = (try #require(root.step("a")), try #require(root.step("b")))
        root.put(try catalogEntry("a", routes: ["third"]))
        root.put(try catalogEntry("b", routes: ["last"]))
        try root.end(loaded)
        try root.end(idle, .crash)
        root.reconcile()
        #expect(root.registry.snapshot.routes["second"] == nil)
        #expect(root.states == ["a active version", "b resolved trial"])
        #expect(root.registry.snapshot.routes["last"] != nil)
        try root.end("a")
        #expect(root.registry.snapshot.routes["third"] != nil)
    }

    @Test("A manifest that moves to another file is never a duplicate")
    func move() throws {
        try start(try catalogEntry("a"))
        try root.activate("a")
        root.remove("a")
        root.put(try catalogEntry("a", file: "moved.json"))
        root.reconcile()
        #expect(root.states == ["a active"])
        root.pass(Reconciliation.settlingTime)
        root.reconcile()
        #expect(root.states == ["a resolved trial"])
        #expect(try root.record("a").file == "Manifests/moved.json")
    }

    @Test("A manifest that comes back keeps the name of its module")
    func comeback() throws {
        try start(try catalogEntry("a"))
        root.remove("a")
        root.put(try catalogEntry("a", file: "copy.json"))
        root.reconcile()
        root.put(try catalogEntry("a"), library: 1)
        root.reconcile()
        #expect(root.states == ["a resolved", "a refused trial"])
        #expect(root.registry.snapshot.module(from: RootModel.file("a"))?.state == .resolved)
    }

    @Test("A version that fails is rejected with one reason until its files change")
    func rejection() throws {
        try start(try catalogEntry("a"))
        try root.activate("a")
        root.put(try catalogEntry("a"))
        root.reconcile()
        try root.end("a", .crash)
        #expect(root.states == ["a active version module-failed"])
        #expect(root.next.steps.isEmpty)
        root.put(try catalogEntry(text: "{", file: "a.json"))
        root.reconcile()
        #expect(root.states == ["a active version manifest-invalid"])
        root.put(try catalogEntry("a"))
        root.reconcile()
        try root.end("a")
        #expect(root.states == ["a active"])
    }

    @Test("A step that failed for reasons outside the module is retried with growing pauses")
    func retries() throws {
        root.put(try catalogEntry("a"))
        root.reconcile()
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            try root.end("a", .shortage)
            #expect(root.states == ["a resolved trial resource-missing"])
            let next = try #require(try root.record("a").pending?.next)
            #expect(root.step("a")?.due == next && next - root.now == .seconds(pause))
            root.pass(.seconds(pause))
        }
        // A newer version does not wait.
        root.put(try catalogEntry("a"))
        root.reconcile()
        #expect(root.step("a").map { $0.due <= root.now } ?? false)
        try root.end("a")
        #expect(root.states == ["a resolved"])
    }

    @Test("A missing file counts as removed only after the settling time")
    func removal() throws {
        try start(try catalogEntry("a", routes: ["list"]))
        root.remove("a")
        root.pass(.milliseconds(99))
        root.reconcile()
        #expect(root.states == ["a resolved"] && root.next.reading != nil)
        root.pass(.milliseconds(1))
        root.reconcile()
        #expect(root.states == [] && root.registry.snapshot.routes["list"] == nil && root.next.reading == nil)
    }

    @Test("A loaded module whose file is missing only briefly keeps its generation")
    func renamed() throws {
        root.put(try catalogEntry("a"), library: 1)
        root.reconcile()
        try root.activate("a")
        root.remove("a")
        root.pass(.milliseconds(50))
        root.reconcile()
        root.put(try catalogEntry("a"), library: 1)
        root.pass(.seconds(1))
        root.reconcile()
        #expect(try root.record("a").generation?.number == 1 && root.next.steps.isEmpty)
        root.remove("a")
        root.pass(.seconds(1))
        root.reconcile()
        #expect(root.states == [] || root.states == ["a retired"])
        root.put(try catalogEntry("a"), library: 1)
        root.reconcile()
        #expect(root.states == ["a resolved trial"])
    }

    @Test("Loaded modules that exchange their names change in one step")
    func exchange() throws {
        try start(try catalogEntry("a"), try catalogEntry("b"))
        try root.activate("a")
        try root.activate("b")
        root.put(try catalogEntry("b", file: "a.json"))
        root.put(try catalogEntry("a", file: "b.json"))
        root.reconcile()
        let steps = try ["a", "b"].map { try #require(root.next.steps[RootModel.file($0)]) }
        try root.end(steps[0])
        root.reconcile()
        #expect(try root.record("a").file == "Manifests/a.json")
        try root.end(steps[1])
        root.reconcile()
        #expect(try root.record("a").file == "Manifests/b.json" && root.record("b").file == "Manifests/a.json")
        #expect(try root.record("a").revision == root.record("b").revision)
        #expect(root.states == ["a active", "b active"])
    }

    @Test("A module gets a new generation after its provider, and only one")
    func rewiring() throws {
        try start(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", requires: ["t"], provides: ["s"]),
            try catalogEntry("c", provides: ["t"]))
        try root.activate("a")
        root.put(try catalogEntry("c", provides: ["t"]))
        root.reconcile()
        for name in ["c", "b", "a"] {
            #expect(root.next.steps.keys.sorted() == [RootModel.file(name)])
            try root.end(name)
        }
        #expect(root.states == ["a active", "b active", "c active"])
        #expect(root.registry.snapshot.modules.allSatisfy { $0.generation?.number == 2 })
        #expect(try root.record("a").rewirings == 1)
    }

    @Test("A module that cannot use its new provider keeps the old one and says why")
    func rejectedProviders() throws {
        try start(try catalogEntry("a", requires: ["s"]), try catalogEntry("b", provides: ["s"]))
        try root.activate("a")
        root.put(try catalogEntry("b", provides: ["s"]))
        root.reconcile()
        try root.end("b")
        try root.end("a", .crash)
        #expect(root.states == ["a active providers module-failed", "b active"])
        // Another version of the provider is another chance.
        root.put(try catalogEntry("b", provides: ["s"]))
        root.reconcile()
        try root.end("b")
        try root.end("a")
        #expect(root.states == ["a active", "b active"])
    }

    @Test("A refused module that is tried again stays refused until it passes")
    func retried() throws {
        try start(try catalogEntry("a"))
        root.registry.refuse(try root.record("a"), because: .crash)
        root.retry()
        #expect(root.states == ["a refused trial"])
        try root.end("a", .crash)
        #expect(root.states == ["a refused"])
        root.retry()
        try root.end("a")
        #expect(root.states == ["a resolved"])
    }

    @Test("A module that its settings rule out is refused, and a loaded one keeps its version")
    func faulty() throws {
        let root = RootModel(faulty: ["b"])
        root.put(try catalogEntry("b"))
        root.put(try catalogEntry("a"))
        root.reconcile()
        try root.end("a")
        #expect(root.states == ["a resolved", "b refused"])
        root.put(try catalogEntry("b", file: "a.json"))
        root.reconcile()
        #expect(root.states == ["a resolved version setting-invalid", "b refused"])
    }

    @Test("A generation that was made for replaced providers is retired, and the module gets another one")
    func outdatedProviders() throws {
        try start(try catalogEntry("a", requires: ["s"]), try catalogEntry("b", provides: ["s"]))
        try root.activate("a")
        root.put(try catalogEntry("b", provides: ["s"]))
        root.reconcile()
        try root.end("b")
        let late = try #require(root.step("a"))
        root.put(try catalogEntry("b", provides: ["s"]))
        root.reconcile()
        try root.end("b")
        try root.end(late)
        root.reconcile()
        #expect(root.leaked.isEmpty && root.step("a") != nil)
        try root.end("a")
        #expect(root.states == ["a active", "b active"] && root.leaked.isEmpty)
    }

    @Test("A version that fails for reasons outside its module keeps no other module from being tried")
    func independent() throws {
        try start(try catalogEntry("a", requires: ["s"]), try catalogEntry("b", provides: ["s"]))
        try root.activate("a")
        root.put(try catalogEntry("b", provides: ["s"]))
        root.reconcile()
        try root.end("b", .shortage)
        root.put(try catalogEntry("a", routes: ["new"], requires: ["s"]))
        root.reconcile()
        try root.end("a")
        #expect(root.states == ["a active", "b active version resource-missing"])
        #expect(root.registry.snapshot.routes["new"] != nil)
    }

    @Test("A module that passed a trial and crashed later is tried again before it is used")
    func crashedLater() throws {
        root.put(try catalogEntry("a"))
        root.reconcile()
        let trial = try #require(root.step("a"))
        try root.activate("a")
        try root.end(trial)
        root.reconcile()
        _ = root.registry.write { draft in
            draft.update("Manifests/a.json") { record in
                (record.state, record.generation) = (.refused(.crash), nil)
                return true
            }
        }
        root.retry()
        #expect(root.states == ["a refused trial"])
        try root.end("a", .crash)
        #expect(root.states == ["a refused"])
    }

    @Test("A trial that ends while the manifest is invalid counts when the manifest is back")
    func invalidMeanwhile() throws {
        root.put(try catalogEntry("a"), library: 1)
        root.reconcile()
        let trial = try #require(root.step("a"))
        root.put(try catalogEntry(text: "{", file: "a.json"))
        root.reconcile()
        try root.end(trial, .crash)
        root.put(try catalogEntry("a"), library: 1)
        root.reconcile()
        #expect(root.states == ["a refused"])
    }
}
