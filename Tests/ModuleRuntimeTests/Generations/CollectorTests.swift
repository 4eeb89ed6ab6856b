import HostDriver
import HostSystem
import ModuleTestSupport
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// The values that a test shares with its modules.
private struct Shared: Sendable {
    static let key = ServiceKey<Shared>("shared")
    let steps = Steps()
    let begun = OneShot<Void>()
    let gate = OneShot<Void>()
}

/// A module whose work uses what it collects, and ends late after it was cancelled.
private final class Worker: Module {
    private let services: any ServiceResolver
    private let shared: Shared
    init(services: any ServiceResolver) throws {
        (self.services, shared) = (services, try services.resolve(Shared.key))
    }
    nonisolated func run() async throws {
        for await list in try services.all(ServiceKey<String>("s")) where !list.isEmpty { shared.begun.set() }
        await shared.gate.value()
        shared.steps.add("work ended")
    }
    static func register(with registrar: Registrar<Worker>) {}
}

private final class Speaker: Module {
    private let shared: Shared
    init(services: any ServiceResolver) throws { shared = try services.resolve(Shared.key) }
    func stop() async { shared.steps.add("provider stopped") }
    static func register(with registrar: Registrar<Speaker>) {
        registrar.service(ServiceKey<String>("s"), .singleton) { _, _ in "text" }
    }
}

/// The generations that a module uses because it collects their services. No test waits for a pause.
@Suite(.hangLimit)
struct CollectorTests {
    private static let key = ServiceKey<String>("s")

    /// A clock whose pauses end when the test says so. It counts the pauses that have begun.
    private final class Pauses: Clock {
        let gate = OneShot<Void>()
        let begun = Tally()
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .nanoseconds(1) }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async {
            _ = begun.next()
            await gate.value()
        }
    }

    /// A registry with providers that the test sets.
    private final class Providers: Sendable {
        let state = Mutex<[Collector.Provider]>([])
        private let changes = AsyncStream.makeStream(of: Void.self)
        let log = Steps()
        /// The number of providers that the collector has read.
        let reads = Mutex(0)
        let pauses = Pauses()
        private let use = Mutex<Use?>(nil)

        /// Boxed, because a mutex must not contain a closure.
        private struct Use { let body: @Sendable () -> Void }

        /// Calls a closure with each line of the log.
        func onLog(_ body: @escaping @Sendable () -> Void) { use.withLock { $0 = Use(body: body) } }

        func set(_ generations: Generation...) { set(generations) }

        func set(_ generations: [Generation]) {
            state.withLock { state in
                state = generations.map { generation in
                    Collector.Provider(
                        file: generation.files.entry.file, module: generation.manifest.name, revision: 1,
                        generation: generation)
                }
            }
            changes.continuation.yield()
        }

        func collector() -> Collector {
            let source = Collector.Source { [self] in
                let all = state.withLock { $0 }
                reads.withLock { $0 += all.count }
                return all
            } provider: { [self] file in
                reads.withLock { $0 += 1 }
                return state.withLock { $0.first { $0.file == file } }
            } changes: { [changes] in
                changes.stream
            } activate: { [self] file throws(ViperError) in
                if let generation = state.withLock({ $0.first { $0.file == file }?.generation }) { return generation }
                throw ViperError(.moduleUnknown, operation: "cannot use module", subject: file, cause: "it is gone")
            }
            var consumer = ServiceConsumer(module: "user", manifestFile: "user.json", allowed: [], folders: [])
            consumer.onOmission = { [self] in
                log.add($0.cause)
                use.withLock { $0 }?.body()
            }
            return Collector(of: "s", source, for: consumer, ServiceContainer().creations, clock: pauses)
        }
    }

    /// Returns a generation that provides the service.
    private static func provider(
        _ name: String, _ make: @escaping @Sendable () async throws -> String
    ) throws -> Generation {
        let record = ModuleRecord(ModuleFiles(try catalogEntry(name, provides: ["s"])))
        let generation = try generation(of: record)
        _ = generation.services.register(key, provider: name, scope: .singleton) { _ in try await make() }
        return generation
    }

    private typealias Iterator = AsyncStream<[OfferedService<String>]>.Iterator

    private static func next(_ iterator: inout Iterator) async -> [String]? {
        await iterator.next()?.map { "\($0.module) \($0.service)" }
    }

    @Test("A replaced generation is used for the grace period, and a removed one too", arguments: [true, false])
    func grace(isReplaced: Bool) async throws {
        let (old, new) = (try Self.provider("a") { "old" }, try Self.provider("a") { "new" })
        let providers = Providers()
        providers.set(old)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == ["a old"])
        #expect(old.uses.count == 1)
        if isReplaced { providers.set(new) } else { providers.set() }
        #expect(await Self.next(&lists) == (isReplaced ? ["a new"] : []))
        #expect(old.uses.count == 1 && new.uses.count == (isReplaced ? 1 : 0))
        providers.pauses.gate.set()
        #expect(await eventually { old.uses.count == 0 })
        await collector.end()
        #expect(new.uses.count == 0)
        #expect(await Self.next(&lists) == nil)
    }

    @Test("A retired collector uses the current generations, and replaced ones no longer")
    func retired() async throws {
        let generations = try ["1", "2", "3"].map { text in try Self.provider("a") { text } }
        let providers = Providers()
        providers.set(generations[0])
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == ["a 1"])
        providers.set(generations[1])
        #expect(await Self.next(&lists) == ["a 2"])
        await collector.retire()
        #expect(generations.map(\.uses.count) == [0, 1, 0])
        // Its open scenes still get changes.
        providers.set(generations[2])
        #expect(await Self.next(&lists) == ["a 3"])
        #expect(await eventually { generations.map(\.uses.count) == [0, 0, 1] })
        await collector.end()
        #expect(generations.map(\.uses.count) == [0, 0, 0])
    }

    @Test("A provider that is removed while its service is created is neither shown nor used")
    func removed() async throws {
        let (begun, gate) = (OneShot<Void>(), OneShot<Void>())
        let slow = try Self.provider("slow") {
            begun.set()
            await gate.value()
            return "late"
        }
        let quick = try Self.provider("quick") { "here" }
        let providers = Providers()
        providers.set(quick, slow)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        await begun.value()
        providers.set(quick)
        // The first element waits only for providers that are still there.
        #expect(await Self.next(&lists) == ["quick here"])
        gate.set()
        #expect(await eventually { slow.uses.count == 0 })
        await collector.end()
        #expect(await Self.next(&lists) == nil)
        #expect(quick.uses.count == 0)
    }

    @Test("A provider that is replaced while its service is created is shown in its new version")
    func overtaken() async throws {
        let (begun, gate) = (OneShot<Void>(), OneShot<Void>())
        let old = try Self.provider("a") {
            begun.set()
            await gate.value()
            return "old"
        }
        let new = try Self.provider("a") { "new" }
        let providers = Providers()
        providers.set(old)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        await begun.value()
        providers.set(new)
        gate.set()
        var list = await Self.next(&lists)
        if list == ["a old"] { list = await Self.next(&lists) }
        #expect(list == ["a new"])
        providers.pauses.gate.set()
        #expect(await eventually { old.uses.count == 0 })
        await collector.end()
    }

    @Test("A provider that is removed and added again while its service is created is used in its new version only")
    func returned() async throws {
        let (begun, gate) = (OneShot<Void>(), OneShot<Void>())
        let old = try Self.provider("a") {
            begun.set()
            await gate.value()
            return "old"
        }
        let new = try Self.provider("a") { "new" }
        let providers = Providers()
        providers.set(old)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        await begun.value()
        providers.set()
        #expect(await Self.next(&lists) == [])
        providers.set(new)
        #expect(await Self.next(&lists) == ["a new"])
        gate.set()
        // Without a grace period, because the old generation was never shown.
        #expect(await eventually { old.uses.count == 0 })
        #expect(new.uses.count == 1)
        await collector.end()
        #expect(await Self.next(&lists) == nil)
    }

    @Test("A provider that fails is tried again after a pause, and is logged once")
    func retry() async throws {
        let runs = Tally()
        let provider = try Self.provider("a") {
            if runs.next() < 3 { throw Script.Failure() }
            return "fine"
        }
        let providers = Providers()
        providers.set(provider)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == [])
        #expect(await eventually { providers.pauses.begun.count == 1 })
        providers.pauses.gate.set()
        #expect(await Self.next(&lists) == ["a fine"])
        #expect(runs.count == 3 && providers.log.all.count == 1 && provider.uses.count == 1)
        await collector.end()
    }

    @Test("The first list of many providers reads each of them a few times")
    func many() async throws {
        let generations = try (0..<200).map { number in try Self.provider("p\(number)") { "" } }
        let providers = Providers()
        providers.set(generations)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists)?.count == generations.count)
        #expect(providers.reads.withLock { $0 } <= 4 * generations.count)
        await collector.end()
    }

    @Test("The log may use the collection while it gets the error of a provider")
    func log() async throws {
        let provider = try Self.provider("a") { "text" }
        let providers = Providers()
        providers.set(provider)
        let collector = providers.collector()
        let other = ServiceKey<Int>("s")
        providers.onLog { _ = collector.collection().services(other) }
        var lists = collector.collection().services(other).makeAsyncIterator()
        #expect(await lists.next()?.count == 0)
        #expect(providers.log.all.count == 1)
        await collector.end()
    }

    @Test("A provider stops after the work that uses it, also if both modules are retired at once")
    func work() async throws {
        for _ in 1...20 {
            let (steps, time) = try await Self.endWork()
            // After the grace, a provider may stop first. A run that a busy machine has delayed as long proves nothing.
            if time >= Collector.grace { continue }
            #expect(steps == ["work ended", "provider stopped"])
            return
        }
        Issue.record("each run took as long as the grace")
    }

    /// Ends a host while a module's work uses what the module collects. Returns what happened, and how long it took.
    private static func endWork() async throws -> (steps: [String], time: Duration) {
        let services = ServiceContainer(timeLimit: Patience.limit)
        let shared = Shared()
        let isFree = services.register(Shared.key, provider: "test", scope: .singleton) { _ in shared }
        try #require(isFree)
        let worker = manifestText("worker", requires: ["shared"])
            .replacing(#""requires""#, with: #""collects": ["s"], "runs": true, "requires""#)
        let host = try linkedHost(
            [
                (Worker.self, worker),
                (Speaker.self, manifestText("speaker", requires: ["shared"], provides: ["s"])),
            ], services: services)
        let file = try #require(host.registry.snapshot.modules.first { $0.name == "worker" }?.file)
        try await host.activator.activate(file).start { _ in }
        await shared.begun.value()
        let begin = ContinuousClock.now
        let end = Task { await host.shutDown() }
        while host.registry.snapshot.modules.contains(where: { $0.state != .retired }) { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        shared.gate.set()
        await end.value
        return (shared.steps.all, .now - begin)
    }

    @Test("A failing factory runs once for each generation, and is logged once")
    func failing() async throws {
        let runs = Tally()
        let bad = try Self.provider("bad") {
            _ = runs.next()
            throw Script.Failure()
        }
        let providers = Providers()
        providers.set(bad)
        let collector = providers.collector()
        var lists = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == [])
        let good = try Self.provider("good") { "fine" }
        providers.set(bad, good)
        #expect(await Self.next(&lists) == ["good fine"])
        var others = collector.collection().services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&others) == ["good fine"])
        #expect(runs.count == 1 && providers.log.all.count == 1 && bad.uses.count == 0)
        await collector.end()
    }
}
