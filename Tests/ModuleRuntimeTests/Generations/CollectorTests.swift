import HostDriver
import HostSystem
import ModuleTestSupport
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// The generations that a module uses because it collects their services. No test waits for a pause.
@Suite(.hangLimit)
struct CollectorTests {
    private static let key = ServiceKey<String>("s")

    /// A clock whose pauses end when the test says so.
    private final class Pauses: Clock {
        let gate = OneShot<Void>()
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .nanoseconds(1) }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async { await gate.value() }
    }

    /// A registry with providers that the test sets.
    private final class Providers: Sendable {
        let state = Mutex<[Collector.Provider]>([])
        private let changes = AsyncStream.makeStream(of: Void.self)
        let log = Steps()
        let pauses = Pauses()

        func set(_ generations: Generation...) {
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
            let source = Collector.Source { [self] _ in
                state.withLock { $0 }
            } changes: { [changes] in
                changes.stream
            } activate: { [self] file throws(ViperError) in
                if let generation = state.withLock({ $0.first { $0.file == file }?.generation }) { return generation }
                throw ViperError(.moduleUnknown, operation: "cannot use module", subject: file, cause: "it is gone")
            }
            var consumer = ServiceConsumer(module: "user", manifestFile: "user.json", allowed: [], folders: [])
            consumer.onOmission = { [log] in log.add($0.cause) }
            return Collector(source, for: consumer, ServiceContainer().creations, clock: pauses)
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
        var lists = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == ["a old"])
        #expect(old.uses.count == 1)
        if isReplaced { providers.set(new) } else { providers.set() }
        #expect(await Self.next(&lists) == (isReplaced ? ["a new"] : []))
        #expect(old.uses.count == 1 && new.uses.count == (isReplaced ? 1 : 0))
        providers.pauses.gate.set()
        #expect(await eventually { old.uses.count == 0 })
        collector.end()
        #expect(new.uses.count == 0)
        #expect(await Self.next(&lists) == nil)
    }

    @Test("A retired collector uses the current generations, and replaced ones no longer")
    func retired() async throws {
        let generations = try ["1", "2", "3"].map { text in try Self.provider("a") { text } }
        let providers = Providers()
        providers.set(generations[0])
        let collector = providers.collector()
        var lists = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == ["a 1"])
        providers.set(generations[1])
        #expect(await Self.next(&lists) == ["a 2"])
        collector.retire()
        #expect(generations.map(\.uses.count) == [0, 1, 0])
        // Its open scenes still get changes.
        providers.set(generations[2])
        #expect(await Self.next(&lists) == ["a 3"])
        #expect(await eventually { generations.map(\.uses.count) == [0, 0, 1] })
        collector.end()
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
        var lists = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        await begun.value()
        providers.set(quick)
        // The first element waits only for providers that are still there.
        #expect(await Self.next(&lists) == ["quick here"])
        gate.set()
        #expect(await eventually { slow.uses.count == 0 })
        collector.end()
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
        var lists = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        await begun.value()
        providers.set(new)
        gate.set()
        var list = await Self.next(&lists)
        if list == ["a old"] { list = await Self.next(&lists) }
        #expect(list == ["a new"])
        providers.pauses.gate.set()
        #expect(await eventually { old.uses.count == 0 })
        collector.end()
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
        var lists = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&lists) == [])
        let good = try Self.provider("good") { "fine" }
        providers.set(bad, good)
        #expect(await Self.next(&lists) == ["good fine"])
        var others = collector.collection(of: "s").services(Self.key).makeAsyncIterator()
        #expect(await Self.next(&others) == ["good fine"])
        #expect(runs.count == 1 && providers.log.all.count == 1 && bad.uses.count == 0)
        collector.end()
    }
}
