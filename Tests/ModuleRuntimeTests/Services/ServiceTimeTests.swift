import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleRuntime

/// The time limit of services, and the provider that its error names. The test advances the clock.
@Suite(.hangLimit)
struct ServiceTimeTests {
    private let clock = ManualClock()
    private let container: ServiceContainer
    private let tally = Tally()
    private let never = Gate()

    init() { container = ServiceContainer(clock: clock) }

    /// Provides a service whose factory waits, opens a gate when it runs, and then goes on.
    private func provide(
        _ key: ServiceKey<Numbered>, after gate: Gate,
        then goOn: @escaping @Sendable (any ServiceResolver) async throws -> Numbered = { _ in Numbered(1) }
    ) -> Gate {
        let isMaking = Gate()
        container.provide(key) { services in
            isMaking.open()
            await gate.pass()
            return try await goOn(services)
        }
        return isMaking
    }

    private static func manifest(requires: [String] = [], optional: [String] = []) throws -> Manifest {
        var text = ManifestText("m", library: "libM.so", routes: ["m"])
        (text.requires, text.optional) = (requires, optional)
        return try Manifest(text: Data(text.text.utf8), named: "m.json")
    }

    @Test("The error blames the factory that took the time, not the one that it began to wait for at the end")
    func slowest() async throws {
        let mayGoOn = Gate()
        let inA = provide(.a, after: mayGoOn) { try await $0.resolveOrCreate(.b) }
        let inB = provide(.b, after: never)
        async let failure = container.services("m", "a").failure(.a)
        await inA.pass()
        await clock.sleepers(1)
        clock.advance(by: .seconds(7))
        mayGoOn.open()
        await inB.pass()
        clock.advance(by: .seconds(1))
        let error = try #require(await failure)
        #expect(error.subject == "a" && error.cause == "its provider \"pa\" took too long; the limit is 8 s")
        #expect(error.notes == [.init("requested by", "module m → a → b")])
        never.open()
    }

    @Test("A factory is not blamed for the time that it waited for another one")
    func waits() async throws {
        let mayGoOn = Gate()
        container.provide(.a) { services in
            _ = try await services.resolveOrCreate(.b)
            return try await services.resolveOrCreate(.c)
        }
        let inB = provide(.b, after: mayGoOn)
        let inC = provide(.c, after: never)
        async let failure = container.services("m", "a").failure(.a)
        await inB.pass()
        await clock.sleepers(2)
        clock.advance(by: .seconds(5))
        mayGoOn.open()
        await inC.pass()
        clock.advance(by: .seconds(3))
        #expect(await failure?.subject == "c")
        never.open()
    }

    @Test("If the time limits of two creations end together, the error blames the one that the other waits for")
    func together() async throws {
        let clock = LateClock()
        let container = ServiceContainer(clock: clock)
        let (mayGoOn, inB, hasFailed) = (Gate(), Gate(), Gate())
        container.provide(.a) { [never] services in
            await mayGoOn.pass()
            do { return try await services.resolveOrCreate(.b) } catch {
                hasFailed.open()
                await never.pass()
                throw error
            }
        }
        container.provide(.b) { [never] _ in
            inB.open()
            await never.pass()
            return Numbered(1)
        }
        async let failure = container.services("m", "a").failure(.a)
        // The first timer is that of `a`.
        await clock.base.sleepers(1)
        mayGoOn.open()
        await inB.pass()
        await clock.base.sleepers(2)
        clock.base.advance(by: .seconds(8))
        await hasFailed.pass()
        clock.mayWakeFirst.open()
        let error = try #require(await failure)
        #expect(error.subject == "b" && error.notes == [.init("requested by", "module m → a → b")])
        never.open()
    }

    @Test("All services of a module share one time limit, and the errors name the provider that hangs")
    func shared() async throws {
        let inA = provide(.a, after: never)
        container.provide(.b) { [tally] _ in Numbered(tally.next()) }
        container.provide(.c) { _ in Numbered(3) }
        _ = try await container.services("other", "c").resolveOrCreate(.c)
        let services = container.services("m", "a", "b", "c")
        let manifest = try Self.manifest(optional: ["a", "b", "c"])
        async let preparation: Void = services.prepareAll(for: manifest)
        await inA.pass()
        await clock.sleepers(2)
        clock.advance(by: .seconds(8))
        try await preparation
        let first = #expect(throws: ViperError.self) { try services.resolve(.a) }
        #expect(first?.cause == "its provider \"pa\" took too long; the limit is 8 s")
        // No time was left for the second one, so its factory has not run.
        #expect(tally.count == 0)
        let second = #expect(throws: ViperError.self) { try services.resolve(.b) }
        #expect(second?.code == .timeLimit && second?.subject == "b")
        #expect(
            second?.cause
                == "the provider \"pa\" of \"a\" took too long; the limit for all services of the module is 8 s"
        )
        #expect(second?.notes == [.init("requested by", "module m → b")])
        // A service that exists takes no time, and the module can try again.
        #expect(try services.resolve(.c).number == 3)
        #expect(try await services.resolveOrCreate(.b).number == 1)
        never.open()
    }

    @Test("A required service that has too little time left fails, and the error names the one that took it")
    func late() async throws {
        let mayGoOn = Gate()
        let inA = provide(.a, after: mayGoOn)
        let inB = provide(.b, after: never)
        let services = container.services("m", "a", "b")
        let manifest = try Self.manifest(requires: ["a", "b"])
        let preparation = Task { try await services.prepareAll(for: manifest) }
        await inA.pass()
        await clock.sleepers(2)
        clock.advance(by: .seconds(6))
        mayGoOn.open()
        await inB.pass()
        await clock.sleepers(2)
        clock.advance(by: .seconds(2))
        let error = try await #require(throws: ViperError.self) { try await preparation.value }
        #expect(error.code == .timeLimit && error.subject == "b")
        #expect(error.cause.hasPrefix("the provider \"pa\" of \"a\" took too long; "))
        #expect(container.creations.count == 0)
        never.open()
    }

    @Test("A factory that waited for two services at once is blamed for its own time, counted once")
    func parallel() async throws {
        let (mayEnd, mayGoOn, isAlone) = (Gate(), Gate(), Gate())
        container.provide(.a) { services in
            async let other = services.resolveOrCreate(.b)
            _ = try await (services.resolveOrCreate(.c), other)
            isAlone.open()
            await mayGoOn.pass()
            return try await services.resolveOrCreate(.d)
        }
        let (inB, inC, inD) = (provide(.b, after: mayEnd), provide(.c, after: mayEnd), provide(.d, after: never))
        async let failure = container.services("m", "a").failure(.a)
        await inB.pass()
        await inC.pass()
        clock.advance(by: .seconds(2))
        mayEnd.open()
        await isAlone.pass()
        clock.advance(by: .seconds(4))
        mayGoOn.open()
        await inD.pass()
        clock.advance(by: .seconds(2))
        #expect(await failure?.subject == "a")
        never.open()
    }

    @Test("A request whose deadline has passed does not wait for the factory")
    func passedDeadline() async throws {
        _ = provide(.a, after: never)
        let (services, slot) = (container.services("m", "a"), try #require(container.slot("a")))
        let deadline = container.creations.clock.now()
        let error = await #expect(throws: ViperError.self) {
            _ = try await container.creations.service(of: slot, for: services.consumer, until: deadline)
        }
        #expect(error?.code == .timeLimit)
        #expect(container.creations.count == 0)
        never.open()
    }
}

/// A manual clock whose first sleeper wakes up only after a gate opens.
private struct LateClock: Clock {
    let base = ManualClock()
    let mayWakeFirst = Gate()
    private let sleeps = Tally()

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        let isFirst = sleeps.next() == 1
        try await base.sleep(until: deadline, tolerance: tolerance)
        if isFirst { await mayWakeFirst.pass() }
    }
}
