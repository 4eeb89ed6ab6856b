import Foundation
import HostDriver
import HostSystem
import ModuleTestSupport
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// A guard that decides as a test says.
private final class Gate: RouteGuard {
    private struct State {
        var decisions: [String: @Sendable (GuardedOpening) async throws -> RouteDecision] = [:]
        var asked: [String] = []
        /// The streams of revocations, one for each generation that the host reads from.
        var streams: [AsyncStream<Revocation>.Continuation] = []
        /// The streams that the host no longer reads.
        var ended: [Int] = []
        /// A closure that the guard calls before it returns a stream.
        var onReading: (@Sendable () -> Void)?
        /// The number of times that the guard cannot be created.
        var failures = 0
    }

    private let state = Mutex(State())

    /// The routes and identities that the guard was asked about, in order.
    var asked: [String] { state.withLock { $0.asked } }

    func set(_ route: String, _ decide: @escaping @Sendable (GuardedOpening) async throws -> RouteDecision) {
        state.withLock { $0.decisions[route] = decide }
    }

    var ended: [Int] { state.withLock { $0.ended } }

    /// The number of streams that the host has read.
    var readings: Int { state.withLock { $0.streams.count } }

    func fail(times: Int) { state.withLock { $0.failures = times } }

    /// Returns this guard, unless it has to fail.
    func created() throws -> Gate {
        let fails = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if fails { throw ViperError(.fileMissing, operation: "cannot read", subject: "it", cause: "it is gone") }
        return self
    }

    func onReading(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onReading = body } }

    /// Takes back what an identity was allowed, in the generation with this index, or in all.
    func revoke(_ identity: String, because reason: String, in generation: Int? = nil) {
        let streams = state.withLock { $0.streams }
        for stream in generation.map({ [streams[$0]] }) ?? streams {
            stream.yield(Revocation(identity: identity, reason: reason))
        }
    }

    func decide(on opening: GuardedOpening) async throws -> RouteDecision {
        let decide = state.withLock { state in
            state.asked.append("\(opening.route) \(opening.identity)")
            return state.decisions[opening.route]
        }
        return try await decide?(opening) ?? .allow
    }

    func revocations() -> AsyncStream<Revocation> {
        state.withLock { $0.onReading }?()
        let (stream, continuation) = AsyncStream.makeStream(of: Revocation.self)
        state.withLock { state in
            let index = state.streams.count
            state.streams.append(continuation)
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.ended.append(index) } }
        }
        return stream
    }
}

private final class Gatekeeper: Module {
    static let gate = ServiceKey<Gate>("gate")
    private let gate: Gate
    init(services: any ServiceResolver) throws { gate = try services.resolve(Self.gate) }
    static func register(with registrar: Registrar<Gatekeeper>) {
        registrar.service(.routeGuard, .singleton) { module, _ in try module.gate.created() }
    }
}

/// Guards of routes, in a host without libraries.
@MainActor
@Suite(.hangLimit)
struct RouteGuardTests {
    private let gate = Gate()
    private let host: HostedModules

    init() throws {
        let services = ServiceContainer(timeLimit: Patience.limit)
        let gate = gate
        let isFree = services.register(Gatekeeper.gate, provider: "test", scope: .singleton) { _ in gate }
        try #require(isFree)
        host = try linkedHost(
            [
                (Waypoints.self, manifestText("waypoints", routes: Waypoints.routes)),
                (Gatekeeper.self, Self.gatekeeper),
                (Waypoints.self, Self.starter),
            ], services: services, guards: ["gatekeeper": ["a", "b"], "nobody": ["c"]])
    }

    private static let gatekeeper = manifestText("gatekeeper", requires: ["gate"], provides: ["route-guard"])

    /// The manifest of a module that makes a guarded route the start.
    private static let starter = manifestText("starter")
        .replacing(#""requires""#, with: #""contributes": {"start": [{"route": "a"}]}, "requires""#)

    private func views(of window: Window) -> [WaypointView] { window.scenes.compactMap { $0.view as? WaypointView } }

    private func refusal(of route: String) async -> ViperError? {
        await #expect(throws: ViperError.self) { _ = try await host.opened(route) }
    }

    @Test("A route that no guard watches opens without loading a guard")
    func unwatched() async throws {
        _ = try await host.opened("e")
        #expect(gate.asked == [])
        #expect(host.registry.snapshot.modules.first { $0.name == "gatekeeper" }?.state == .resolved)
    }

    @Test("A guard that refuses, throws or is missing keeps the route shut, and the error says why")
    func shut() async throws {
        gate.set("a") { _ in .refuse(because: "you are too young") }
        gate.set("b") { _ in
            throw ViperError(.fileMissing, operation: "cannot read", subject: "it", cause: "it is gone")
        }
        let errors = [await refusal(of: "a"), await refusal(of: "b"), await refusal(of: "c")]
        #expect(errors.map { $0?.code } == [.routeRefused, .routeRefused, .routeRefused])
        #expect(errors.first??.notes == [.init("guard", "gatekeeper")])
        #expect(
            errors.map { $0?.cause } == [
                "you are too young", "its guard \"gatekeeper\" failed: it is gone",
                "its guard \"nobody\" failed: no module has this name",
            ])
    }

    @Test("A guarded route is guarded as the start, too")
    func start() async throws {
        _ = try await host.opened("")
        #expect(gate.asked == ["a "])
        gate.set("a") { _ in .refuse(because: "it is late") }
        #expect(await refusal(of: "")?.cause == "it is late")
    }

    @Test("A start that changes while a guard decides opens the route on which the guard has decided")
    func changingStart() async throws {
        let registry = host.registry
        let file = try #require(registry.snapshot.modules.first { $0.name == "starter" }?.file)
        let changed = Self.starter.replacing(#""route": "a""#, with: #""route": "b""#)
        gate.set("a") { _ in
            registry.register([CatalogEntry(file: file, text: .success(Data(changed.utf8)))])
            return .allow
        }
        let window = try await host.opened("")
        #expect(window.scenes.map(\.route) == ["a"] && gate.asked == ["a "])
    }

    @Test("A guard that does not decide in time keeps the route shut")
    func hangs() async throws {
        gate.set("a") { _ in
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
        let error = await refusal(of: "a")
        #expect(error?.code == .routeRefused && error?.cause.contains("it took longer than") == true, "\(error as Any)")
    }

    @Test("A guard whose sequence of revocations takes time delays only the routes that it watches")
    func blocks() async throws {
        let (begun, gone) = (OneShot<Void>(), DispatchSemaphore(value: 0))
        gate.onReading {
            begun.set()
            gone.wait()
        }
        let host = host
        let first = Task { _ = try await host.opened("a") }
        await begun.value()
        let second = Task { _ = try await host.opened("b") }
        // The main actor goes on.
        _ = try await host.opened("e")
        gone.signal()
        for task in [first, second] { try await task.value }
        #expect(gate.asked.sorted() == ["a ", "b "])
    }

    @Test("Texts in another Unicode form are other identities")
    func unicodeForms() async throws {
        let composed = try await host.opened("a", for: "Zo\u{EB}")
        let decomposed = try await host.opened("a", for: "Zoe\u{308}")
        gate.revoke("Zo\u{EB}", because: "you have logged out")
        while composed.top != nil { await Task.yield() }
        #expect(decomposed.scenes.map(\.route) == ["a"])
    }

    @Test("A guard that changes while guarded scenes are open is created when a route opens, not before")
    func flapping() async throws {
        let window = try await host.opened("a", for: "ada")
        let file = try #require(host.registry.snapshot.modules.first { $0.name == "gatekeeper" }?.file)
        let history = try #require(host.registry.snapshot.module(from: file)?.history)
        for patch in 1...5 {
            let newer = Self.gatekeeper.replacing("1.0.0", with: "1.0.\(patch)")
            host.register([ModuleFiles(CatalogEntry(file: file, text: .success(Data(newer.utf8))))])
            for _ in 0..<1_000 { await Task.yield() }
        }
        _ = try await host.opened("a", for: "bob")
        #expect(history.generations == 2)
        // Its revocations are read again.
        gate.revoke("ada", because: "you have logged out", in: 1)
        while window.top != nil { await Task.yield() }
    }

    @Test("The guard leads to another route, and the first one opens in its place when that returns a result")
    func leads() async throws {
        let window = try await host.opened("b", for: "ada")
        let first = try #require(views(of: window).first)
        gate.set("a") { _ in .lead(to: "e") }
        try await first.navigator.open("a", as: .present)
        #expect(window.scenes.map(\.route) == ["b", "e"])
        // Without a result, the route stays shut.
        await views(of: window)[1].navigator.close()
        #expect(window.scenes.map(\.route) == ["b"])
        try await first.navigator.open("a", as: .present)
        let still = await #expect(throws: ViperError.self) {
            try await views(of: window)[1].navigator.close(returning: "ada")
        }
        #expect(still?.cause == "its guard leads to e again, which has just returned a result")
        gate.set("a") { _ in .allow }
        try await views(of: window)[1].navigator.close(returning: "ada")
        #expect(window.scenes.map(\.route) == ["b", "a"])
        #expect(window.openScenes.map(\.transition) == [.replaceRoot, .present])
        #expect(first.returned.isEmpty)
        #expect(gate.asked.allSatisfy { $0.hasSuffix(" ada") })
    }

    @Test("Guards that lead to each other keep their routes shut")
    func cycle() async throws {
        gate.set("a") { _ in .lead(to: "b") }
        gate.set("b") { _ in .lead(to: "a") }
        let error = await refusal(of: "a")
        #expect(error?.code == .routeRefused && error?.cause == "its guards lead to a, and from there back")
    }

    @Test("What a guard takes back closes, with the reason, for this identity only and with the scenes above")
    func revocation() async throws {
        let mine = try await host.opened("e", for: "ada")
        try await views(of: mine)[0].navigator.open("a", as: .push)
        try await views(of: mine)[1].navigator.open("e", as: .push)
        let (other, yours) = (try await host.opened("a", for: "ada"), try await host.opened("a", for: "bob"))
        gate.revoke("ada", because: "you have logged out")
        while other.top != nil || mine.scenes.count > 1 { await Task.yield() }
        #expect(mine.scenes.map(\.route) == ["e"] && yours.scenes.map(\.route) == ["a"])
        for window in [mine, other] {
            #expect(window.lastLoss?.code == .routeRefused && window.lastLoss?.cause == "you have logged out")
        }
        _ = try await host.opened("a", for: "ada")
    }

    @Test("What a guard takes back while it decides does not open")
    func earlyRevocation() async throws {
        let other = try await host.opened("a", for: "ada")
        gate.set("a") { [gate] _ in
            gate.revoke("ada", because: "you have logged out")
            // The host has read the revocation when the other scene is closed.
            while await other.top != nil { await Task.yield() }
            return .allow
        }
        let error = await #expect(throws: ViperError.self) { _ = try await host.opened("a", for: "ada") }
        #expect(error?.code == .routeRefused && error?.cause == "you have logged out")
    }

    @Test("A replaced guard can take back what was allowed, until it has stopped")
    func replaced() async throws {
        let window = try await host.opened("a", for: "ada")
        let file = try #require(host.registry.snapshot.modules.first { $0.name == "gatekeeper" }?.file)
        var old = host.registry.snapshot.module(from: file)?.generation
        #expect(old?.uses.begin() == true)
        let newer = Self.gatekeeper.replacing("1.0.0", with: "1.0.1")
        host.register([ModuleFiles(CatalogEntry(file: file, text: .success(Data(newer.utf8))))])
        let other = try await host.opened("a", for: "bob")
        #expect(host.registry.snapshot.module(from: file)?.generation?.number == 2)
        gate.revoke("ada", because: "you have logged out", in: 0)
        gate.revoke("bob", because: "you have logged out", in: 1)
        #expect(await eventually { window.top == nil && other.top == nil })
        #expect(window.lastLoss?.cause == "you have logged out" && gate.ended == [])

        old?.uses.end()
        await old?.stopped()
        old = nil
        // The host notices at the next opening.
        #expect(
            try await eventually {
                _ = try await host.opened("a", for: "bob")
                return gate.ended == [0]
            })
    }

    @Test("A new generation of a guard is read before it is in the registry, so no revocation of it is missed")
    func successor() async throws {
        let window = try await host.opened("a", for: "ada")
        let registry = host.registry
        let file = try #require(registry.snapshot.modules.first { $0.name == "gatekeeper" }?.file)
        let current = Mutex<[Int?]>([])
        gate.onReading { current.withLock { $0.append(registry.snapshot.module(from: file)?.generation?.number) } }
        let newer = Self.gatekeeper.replacing("1.0.0", with: "1.0.1")
        host.register([ModuleFiles(CatalogEntry(file: file, text: .success(Data(newer.utf8))))])
        // Another route of the module, such as a logout, creates the generation.
        let generation = try await host.activator.activate(file)
        gate.revoke("ada", because: "you have logged out", in: 1)
        #expect(generation.number == 2 && current.withLock(\.self) == [nil])
        #expect(await eventually { window.top == nil })
        // A generation that takes the place of another one.
        var record = try #require(registry.snapshot.module(from: file))
        record.files = ModuleFiles(record.files.entry, reloads: 1)
        let step = Step(
            record: record, snapshot: registry.snapshot, wiring: generation.wiring, failures: 0, due: .now, isRun: false
        )
        #expect(await host.activator.perform(step)?.generation?.number == 3)
        #expect(current.withLock(\.self) == [nil, 2])
    }

    @Test("A route that opens while a new generation of its guard is prepared closes when that takes it back")
    func openedBetween() async throws {
        let file = try #require(host.registry.snapshot.modules.first { $0.name == "gatekeeper" }?.file)
        let generation = try await host.activator.activate(file)
        var record = try #require(host.registry.snapshot.module(from: file))
        record.files = ModuleFiles(record.files.entry, reloads: 1)
        let step = Step(
            record: record, snapshot: host.registry.snapshot, wiring: generation.wiring, failures: 0, due: .now,
            isRun: false)
        // The second generation is not current yet, so this test keeps it.
        let newer = try #require(await host.activator.perform(step)?.generation)
        #expect(newer.number == 2)
        let window = try await host.opened("a", for: "ada")
        try #require(gate.readings == 2)
        gate.revoke("ada", because: "you have logged out", in: 1)
        #expect(await eventually { window.top == nil })
        withExtendedLifetime(newer) {}
    }

    @Test("A new generation of a guard that fails at first is read when it is current")
    func failsAtFirst() async throws {
        let window = try await host.opened("a", for: "ada")
        let file = try #require(host.registry.snapshot.modules.first { $0.name == "gatekeeper" }?.file)
        let newer = Self.gatekeeper.replacing("1.0.0", with: "1.0.1")
        host.register([ModuleFiles(CatalogEntry(file: file, text: .success(Data(newer.utf8))))])
        gate.fail(times: 1)
        _ = try await host.activator.activate(file)
        try #require(await eventually { gate.readings == 2 })
        gate.revoke("ada", because: "you have logged out", in: 1)
        #expect(await eventually { window.top == nil })
    }

    @Test("Scenes that have closed are forgotten, and open ones are not")
    func forgetting() async throws {
        let kept = try await host.opened("a", for: "ada")
        for _ in 0..<100 { try await host.opened("a", for: "ada").closeAll() }
        gate.revoke("ada", because: "it is late")
        while kept.top != nil { await Task.yield() }
        #expect(kept.lastLoss?.cause == "it is late")
    }

    @Test(
        "A pattern is a route, or all routes below it",
        arguments: [
            ("people", ["exact", "two"]), ("people/add", ["below"]), ("people/add/x", ["deep", "below"]),
            ("peoples", []),
            ("todo", []), ("todo/x", ["two"]),
        ])
    func patterns(route: String, modules: [String]) {
        let patterns = GuardPatterns([
            "exact": ["people"], "below": ["people/*"], "two": ["todo/*", "people"],
            "deep": ["people/add/*", "people/add/*"],
        ])
        #expect(patterns.modules(guarding: route) == modules)
    }
}
