import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// The decision on which modules get a generation without being opened, because they run.
struct ReconciliationRunTests {
    private let root = RootModel()

    private func entry(_ name: String, _ runs: String, requires: String = "") throws -> CatalogEntry {
        try catalogEntry(
            text: """
                {"name": "\(name)", "version": "1.0.0", "library": "lib\(name).so", "sdk": "1.0", "runs": \(runs),
                 "requires": [\(requires)]}
                """, file: "\(name).json")
    }

    /// Ends all trials.
    private func tryAll() throws {
        root.reconcile()
        while let step = root.next.steps.values.first(where: { !$0.isRun }) { try root.end(step.record.name) }
    }

    @Test("A module that runs gets its generation after its trial, and only in a host that starts such modules")
    func generations() throws {
        root.put(try entry("a", "true"))
        root.put(try entry("b", "\"always\""))
        root.put(try entry("c", "false"))
        try tryAll()
        #expect(root.states == ["a resolved", "b resolved", "c resolved"] && root.next.running.isEmpty)
        root.startRuns()
        root.reconcile()
        #expect(root.states == ["a resolved run", "b resolved run", "c resolved"])
        #expect(root.next.steps.keys.sorted() == ["Manifests/a.json", "Manifests/b.json"])
        try root.activate("a")
        root.reconcile()
        #expect(root.states == ["a active", "b resolved run", "c resolved"])
        #expect(root.next.running.map(\.manifest.name) == ["a"])
    }

    @Test("A module that runs if it is configured gets its generation only if the settings give it a value")
    func configured() throws {
        for name in ["a", "b"] { root.put(try entry(name, "\"configured\"")) }
        root.startRuns(configured: ["b"])
        try tryAll()
        #expect(root.states == ["a resolved", "b resolved run"])
    }

    @Test("A new generation runs in place of the old one, until the manifest no longer says so")
    func replacement() throws {
        root.startRuns()
        root.put(try entry("a", "true"))
        try tryAll()
        try root.activate("a")
        root.put(try entry("a", "true"))
        root.reconcile()
        #expect(root.states == ["a active version"] && root.next.running.map(\.number) == [1])
        try root.end("a")
        #expect(root.states == ["a active"] && root.next.running.map(\.number) == [2])
        root.put(try entry("a", "false"))
        root.reconcile()
        try root.end("a")
        #expect(root.states == ["a active"] && root.next.running.isEmpty)
    }

    @Test("A module that runs and lacks resources is tried again after a growing pause")
    func shortage() throws {
        root.startRuns()
        root.put(try entry("a", "true"))
        try tryAll()
        for pause in [1, 2, 4] {
            try root.end("a", .shortage)
            #expect(root.states == ["a resolved run resource-missing"])
            #expect(root.step("a")?.due == root.now + .seconds(pause))
            root.pass(.seconds(pause))
        }
        try root.activate("a")
        root.reconcile()
        #expect(root.states == ["a active"])
    }

    @Test("A module that runs waits for its providers")
    func providers() throws {
        root.startRuns()
        root.put(try entry("a", "true", requires: "\"word\""))
        try tryAll()
        #expect(root.states == ["a refused trial"] && root.next.steps.isEmpty)
        root.put(try catalogEntry("b", provides: ["word"]))
        try tryAll()
        #expect(root.states == ["a resolved run", "b resolved"])
    }
}
