import Foundation
import ModuleTestSupport
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleRuntime

struct RegistryTests {
    private let registry = Registry(wiring: ServiceWiring(hostServices: ["logger"]))

    private func state(_ module: String) -> ModuleState? {
        registry.snapshot.module(from: "Manifests/\(module).json")?.state
    }

    private func refuse(_ module: String, because error: ViperError) throws {
        registry.refuse(try #require(registry.snapshot.module(from: "Manifests/\(module).json")), because: error)
    }

    @discardableResult
    private func activate(_ module: String) throws -> Bool {
        let record = try #require(registry.snapshot.module(from: "Manifests/\(module).json"))
        return registry.activate(record, as: try generation(of: record))
    }

    @Test("A module goes through resolved, active and retired")
    func stateSequence() throws {
        registry.register([try catalogEntry("a")])
        #expect(state("a") == .resolved)
        try activate("a")
        #expect(state("a") == .active)
        registry.retire("Manifests/a.json")
        #expect(state("a") == .retired)
        #expect(["discovered", "resolved", "active", "retired"] == ModuleStateTests.plain.map(\.name))
    }

    @Test("A refused module stays refused")
    func refused() throws {
        let reason = ViperError(.moduleFailed, operation: "cannot create module", subject: "a", cause: "of the test")
        registry.register([try catalogEntry("a")])
        try refuse("a", because: reason)
        try activate("a")
        registry.retire("Manifests/a.json")
        #expect(state("a") == .refused(reason))
        #expect(state("a")?.refusal == reason)
        #expect(state("a")?.name == "refused")
    }

    @Test("A module that was retired while it loaded stays retired")
    func retiredWhileLoading() throws {
        registry.register([try catalogEntry("a")])
        registry.retire("Manifests/a.json")
        try activate("a")
        #expect(state("a") == .retired)
    }

    @Test("An active or retired module cannot be refused")
    func refusedTooLate() throws {
        let late = ViperError(
            .libraryInvalid, operation: "cannot load library", subject: "lib.so", cause: "of the test")
        for isRetired in [false, true] {
            registry.register([try catalogEntry("a")])
            if isRetired { registry.retire("Manifests/a.json") } else { try activate("a") }
            let state = registry.snapshot.modules.first?.state
            try refuse("a", because: late)
            #expect(registry.snapshot.modules.first?.state == state)
            #expect(state?.refusal == nil)
        }
    }

    @Test("Neither a refusal nor a generation of an earlier version affects a newer one")
    func outdated() throws {
        registry.register([try catalogEntry("a")])
        let old = try #require(registry.snapshot.module(from: "Manifests/a.json"))
        registry.register([try catalogEntry("a", routes: ["list"])])
        #expect(!registry.activate(old, as: try generation(of: old)))
        let late = ViperError(.moduleFailed, operation: "cannot create module", subject: "a", cause: "of the test")
        #expect(!registry.refuse(old, because: late))
        #expect(state("a") == .resolved)
        #expect(try activate("a"))
    }

    @Test("A generation that was wired before its provider changed is not activated")
    func wiredWithOld() throws {
        let provider = try catalogEntry("b", provides: ["s"])
        registry.register([try catalogEntry("a", requires: ["s"]), provider])
        let snapshot = registry.snapshot
        let (record, old) = (
            try #require(snapshot.module(from: "Manifests/a.json")),
            try #require(snapshot.module(from: "Manifests/b.json"))
        )
        let providers = ["s": try generation(of: old)]
        #expect(registry.activate(old, as: try #require(providers["s"])))
        let wiring = Wiring(of: record, in: snapshot, isIsolated: false).using(providers)
        let made = try generation(of: record, providers: providers, wiring: wiring)
        registry.register([provider])
        #expect(!registry.activate(record, as: made))
        #expect(state("a") == .resolved)
    }

    @Test("A module is refused for a crash of its current code, not of earlier code")
    func refusedAfterCrash() throws {
        let reason = ViperError(
            .libraryQuarantined, operation: "cannot load library", subject: "liba.so", cause: "of the test")
        registry.register([try catalogEntry("a")])
        let first = try #require(registry.snapshot.modules.first)
        #expect(registry.activate(first, as: try generation(of: first, library: "1")))
        let newer = try generation(of: first, library: "2")
        #expect(registry.activate(first, as: newer))
        // The worker of the first version fails while it is draining.
        registry.refuseAfterCrash(first.file, Digest(of: Data("1".utf8)), because: reason)
        #expect(state("a") == .active)
        #expect(registry.snapshot.modules.first?.generation === newer)
        registry.refuseAfterCrash(first.file, Digest(of: Data("2".utf8)), because: reason)
        #expect(state("a") == .refused(reason))
        #expect(registry.snapshot.modules.first?.generation == nil)
    }

    @Test("Retiring an unregistered file changes nothing")
    func unknown() throws {
        registry.register([try catalogEntry("a")])
        registry.retire("Manifests/b.json")
        #expect(registry.snapshot.modules.map(\.file) == ["Manifests/a.json"])
        #expect(state("a") == .resolved)
    }

    @Test("Changes that are made at the same time are all made, and each replaced generation is retired")
    func concurrent() throws {
        let registry = registry
        let (threads, rounds) = (8, 100)
        let made = Mutex<[Int: [Generation]]>([:])
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            do {
                registry.register([try catalogEntry("m\(thread)")])
                for _ in 0..<rounds {
                    let record = try #require(registry.snapshot.module(from: "Manifests/m\(thread).json"))
                    let newer = try generation(of: record)
                    #expect(registry.activate(record, as: newer))
                    made.withLock { $0[thread, default: []].append(newer) }
                }
            } catch { Issue.record(error) }
        }
        let snapshot = registry.snapshot
        #expect(snapshot.modules.count == threads)
        for (thread, generations) in made.withLock(\.self) {
            #expect(generations.count == rounds && generations.dropLast().allSatisfy(\.isRetired))
            #expect(generations.last?.isRetired == false)
            #expect(snapshot.module(from: "Manifests/m\(thread).json")?.generation === generations.last)
        }
    }

    @Test("Changes can be made while readers of changes are cancelled", .hangLimit)
    func cancelledReaders() async throws {
        let registry = registry
        registry.register([try catalogEntry("a")])
        let files = [try catalogEntry("b"), try catalogEntry("b", routes: ["list"])]
        for round in 0..<2_000 {
            let reader = Task.detached { for await _ in registry.changes() {} }
            let writer = Task.detached { registry.register([files[round % 2]]) }
            await Task.yield()
            reader.cancel()
            await writer.value
            await reader.value
        }
    }

    @Test("A snapshot does not change after it was taken")
    func immutability() throws {
        registry.register([try catalogEntry("a", routes: ["list"])])
        let before = registry.snapshot
        registry.retire("Manifests/a.json")
        registry.register([try catalogEntry("b", routes: ["other"])])
        #expect(before.modules.map(\.name) == ["a"])
        #expect(before.modules.map(\.state) == [.resolved])
        #expect(before.routes.all.map(\.route.name) == ["list"])
        #expect(registry.snapshot.modules.map(\.name) == ["a", "b"])
        #expect(registry.snapshot.routes.all.map(\.route.name) == ["other"])
    }

    @Test("A manifest that is registered again replaces its earlier version and is resolved again")
    func registeredAgain() throws {
        registry.register([try catalogEntry("a", requires: ["gone"]), try catalogEntry("b")])
        try activate("b")
        registry.register([try catalogEntry("a", routes: ["list"])])
        #expect(state("a") == .resolved)
        #expect(state("b") == .active)
        #expect(registry.snapshot.routes["list"]?.module == "a")
    }

    @Test("A new manifest with an active module's name is refused, and the active module stays")
    func duplicateOfActive() throws {
        registry.register([try catalogEntry("a")])
        try activate("a")
        registry.register([try catalogEntry("a", file: "copy.json")])
        #expect(state("a") == .active)
        #expect(state("copy")?.refusal?.code == .moduleDuplicate)
    }

    @Test("Modules are sorted by name, and an unreadable one by its file name")
    func order() throws {
        registry.register([
            try catalogEntry("c", file: "1.json"), try catalogEntry(text: "{", file: "b.json"), try catalogEntry("a"),
        ])
        #expect(registry.snapshot.modules.map(\.name) == ["a", "b", "c"])
        #expect(registry.snapshot.modules[1].manifest == nil)
    }

    @Test("A service is listed with its providers and its consumers")
    func services() throws {
        registry.register([
            try catalogEntry("a", requires: ["logger", "s"]), try catalogEntry("b", provides: ["s"]),
            try catalogEntry("c", requires: ["gone"]), try catalogEntry("d", requires: ["s"]),
        ])
        registry.retire("Manifests/d.json")
        #expect(
            registry.snapshot.services.map { "\($0.name) \($0.providers) \($0.selected ?? "-") \($0.consumers)" } == [
                #"gone [] - ["c"]"#, #"logger ["host"] host ["a"]"#, #"s ["b"] b ["a"]"#,
            ])
    }

    @Test("A service with several providers is listed with the selected one")
    func selected() throws {
        func selected(_ wiring: ServiceWiring) throws -> String {
            let registry = Registry(wiring: wiring)
            registry.register([try catalogEntry("a", provides: ["s"]), try catalogEntry("b", provides: ["s"])])
            let service = try #require(registry.snapshot.services.first)
            return "\(service.providers.joined(separator: ", ")): \(service.selected ?? "none")"
        }
        #expect(try selected(ServiceWiring(hostServices: [])) == "a, b: none")
        #expect(try selected(ServiceWiring(hostServices: [], choices: ["s": "b"])) == "a, b: b")
        #expect(try selected(ServiceWiring(hostServices: ["s"], replaceable: ["s": "own"])) == "own, a, b: own")
        let chosen = ServiceWiring(hostServices: [], replaceable: ["s": "own"], choices: ["s": "b"])
        #expect(try selected(chosen) == "own, a, b: b")
    }

    @Test("The provider that arrived first is used, however many others arrive together later")
    func firstProvider() throws {
        registry.register([try catalogEntry("m", provides: ["s"])])
        registry.register(try ["a", "b", "y", "z"].map { try catalogEntry($0, provides: ["s"]) })
        registry.register([try catalogEntry("user", requires: ["s"])])
        #expect(state("user") == .resolved)
        #expect(registry.snapshot.services.first { $0.name == "s" }?.selected == "m")
    }

    @Test("Concurrent readers see consistent states")
    func concurrency() async throws {
        let entries = try (0..<8).map { try catalogEntry("m\($0)", routes: ["r\($0)"]) }
        registry.register(entries)
        let records = registry.snapshot.modules
        try await withThrowingTaskGroup { group in
            for record in records {
                let generation = try generation(of: record)
                group.addTask { [registry] in
                    _ = registry.activate(record, as: generation)
                    registry.retire(record.file)
                }
                group.addTask { [registry] in
                    for _ in 0..<50 {
                        let snapshot = registry.snapshot
                        #expect(snapshot.modules.count == 8)
                        let usable = snapshot.modules.filter { $0.state != .retired }
                        #expect(snapshot.routes.all.map(\.module) == usable.map(\.name))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(registry.snapshot.modules.allSatisfy { $0.state == .retired })
    }
}

struct ModuleStateTests {
    static let plain: [ModuleState] = [.discovered, .resolved, .active, .retired]

    @Test("A state other than refused has no reason", arguments: plain)
    func noReason(state: ModuleState) { #expect(state.refusal == nil) }
}
