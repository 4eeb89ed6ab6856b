import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import HostSystem
@testable import ModuleRuntime

/// Factories that are slow, fail, are cancelled, or never return. No test here may wait forever.
@Suite(.hangLimit)
struct ServiceCreationTests {
    private let container = ServiceContainer(timeLimit: Patience.limit)
    private let tally = Tally()

    @Test("A hundred concurrent tasks make a singleton once")
    func hundred() async throws {
        container.provide(.a) { [tally] services in
            Numbered(tally.next() + (try await services.resolveOrCreate(.b).number))
        }
        container.provide(.b) { [tally] _ in Numbered(100 * tally.next()) }
        let container = container
        let made = await atOnce(100) {
            (try? await container.services("m", "a").resolveOrCreate(.a)).map(ObjectIdentifier.init)
        }
        #expect(made.count == 100)
        #expect(Set(made).count == 1 && made.first != .some(nil))
        #expect(tally.count == 2)
    }

    @Test("A hundred concurrent tasks make a module's own instance once")
    func hundredPerModule() async throws {
        container.provide(.a, scope: .perModule) { [tally] _ in Numbered(tally.next()) }
        let services = container.services("m", "a")
        let numbers = await atOnce(100) { try? await services.resolveOrCreate(.a).number }
        #expect(numbers == Array(repeating: 1, count: 100))
    }

    @Test("A request waits for the instance that another request makes")
    func waitedForOther() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        container.provide(.a) { [tally] _ in
            isMaking.open()
            await mayGoOn.pass()
            return Numbered(tally.next())
        }
        async let first = container.services("m", "a").resolveOrCreate(.a)
        await isMaking.pass()
        async let second = container.services("n", "a").resolveOrCreate(.a)
        await container.waiters(2, for: .a)
        mayGoOn.open()
        #expect(try await first === second)
        #expect(tally.count == 1)
    }

    @Test("Requests that wait together get the same failure, each with its own path, and the next one tries again")
    func failing() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "no line" }
        let mayGoOn = Gate()
        container.provide(.a) { [tally] _ in
            await mayGoOn.pass()
            if tally.next() == 1 { throw Broken() }
            return Numbered(2)
        }
        container.provide(.b) { try await $0.resolveOrCreate(.a) }
        let container = container
        async let first = container.services("m", "a").failure(.a)
        await container.waiters(1, for: .a)
        async let second = container.services("n", "b").failure(.b)
        await container.waiters(2, for: .a)
        mayGoOn.open()
        let errors = await [first, second]
        #expect(
            errors.map(\.?.summary)
                == Array(
                    repeating: "cannot create service \"a\": its provider \"pa\" failed: no line", count: 2))
        #expect(errors.map(\.?.notes.first?.text) == ["module m → a", "module n → b → a"])
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 2)
    }

    @Test(
        "A factory cannot fail with a code of the host, except with the error of its own request",
        arguments: [.serviceCycle, .serviceDenied, .serviceMissing, .timeLimit, .serviceFailed] as [ViperError.Code])
    func forged(code: ViperError.Code) async throws {
        container.provide(.a) { services in
            do { return try await services.resolveOrCreate(ServiceKey<Numbered>("gone")) } catch {
                throw ViperError(
                    code, operation: "cannot use", subject: "\"x\"", cause: "no line", notes: [.init("at", "noon")])
            }
        }
        let error = try #require(await container.services("m", "a").failure(.a))
        #expect(error.code == .serviceFailed)
        #expect(
            error.summary
                == "cannot create service \"a\": its provider \"pa\" failed: cannot use \"\"x\"\": no line")
        #expect(error.notes == [.init("requested by", "module m → a"), .init("at", "noon")])
        container.provide(.b) { try await $0.resolveOrCreate(ServiceKey<Numbered>("gone")) }
        #expect(await container.services("m", "b").failure(.b)?.code == .serviceDenied)
    }

    @Test("A cancelled request stops waiting, and the others get the service")
    func cancelled() async throws {
        let mayGoOn = Gate()
        container.provide(.a) { [tally] _ in
            await mayGoOn.pass()
            return Numbered(Task.isCancelled ? 0 : tally.next())
        }
        let container = container
        let first = Task { try await container.services("m", "a").resolveOrCreate(.a).number }
        await container.waiters(1, for: .a)
        async let second = container.services("n", "a").resolveOrCreate(.a).number
        await container.waiters(2, for: .a)
        first.cancel()
        let error = try await #require(throws: ViperError.self) { try await first.value }
        #expect(error.code == .serviceFailed)
        #expect(error.summary == "cannot create service \"a\": the request was cancelled")
        #expect(error.notes == [.init("requested by", "module m → a")])
        mayGoOn.open()
        #expect(try await second == 1)
    }

    @Test("A creation is cancelled with its last request, with the services that it waits for, and can run again")
    func abandoned() async throws {
        let (isCancelled, mayEnd) = (Gate(), Gate())
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { [tally] _ in
            let number = tally.next()
            if number > 1 { return Numbered(number) }
            await withTaskCancellationHandler {
                await mayEnd.pass()
            } onCancel: {
                isCancelled.open()
            }
            return Numbered(number)
        }
        let container = container
        let request = Task { try await container.services("m", "a").resolveOrCreate(.a).number }
        await container.waiters(1, for: .b)
        request.cancel()
        _ = await request.result
        await isCancelled.pass()
        // The first run has not ended yet, and what it makes is dropped.
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 2)
        mayEnd.open()
        #expect(try await container.services("n", "b").resolveOrCreate(.b).number == 2)
    }

    @Test("A task that is cancelled before its request leaves nothing behind")
    func cancelledBefore() async throws {
        container.provide(.a) { _ in
            try await Task.sleep(for: .seconds(86_400))
            return Numbered(1)
        }
        let container = container
        let request = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await container.services("m", "a").resolveOrCreate(.a).number
        }
        request.cancel()
        await #expect(throws: ViperError.self) { try await request.value }
        #expect(container.creations.count == 0)
    }

    @Test("A factory that never returns is cancelled after the time limit, and the error names its service")
    func hanging() async throws {
        let clock = ManualClock()
        let container = ServiceContainer(clock: clock)
        let (isMaking, isCancelled, never) = (Gate(), Gate(), Gate())
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { _ in
            isMaking.open()
            await withTaskCancellationHandler {
                await never.pass()
            } onCancel: {
                isCancelled.open()
            }
            return Numbered(1)
        }
        async let failure = container.services("m", "a").failure(.a)
        await isMaking.pass()
        await clock.sleepers(2)
        clock.advance(by: .seconds(8))
        let error = try #require(await failure)
        #expect(error.code == .timeLimit)
        #expect(
            error.summary
                == "cannot create service \"b\": its provider \"pb\" took too long; the limit is 8 s")
        #expect(error.notes == [.init("requested by", "module m → a → b")])
        await isCancelled.pass()
        #expect(container.creations.count == 0)
        never.open()
    }

    @Test("A slow factory does not block the main actor")
    @MainActor
    func mainActor() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        container.provide(.a) { _ in
            #expect(!isMainThread())
            isMaking.open()
            await mayGoOn.pass()
            return Numbered(1)
        }
        let services = container.services("m", "a")
        let request = Task { try await services.resolveOrCreate(.a).number }
        await isMaking.pass()
        // This test runs on the main actor while the request, also there, waits.
        mayGoOn.open()
        #expect(try await request.value == 1)
    }

    @Test("A task that a factory starts may use services after the factory has returned")
    func background() async throws {
        let isReady = Gate()
        let later = Mutex<Task<Numbered, any Error>?>(nil)
        container.provide(.a) { services in
            later.withLock {
                $0 = Task {
                    await isReady.pass()
                    return try await services.resolveOrCreate(.b)
                }
            }
            return Numbered(1)
        }
        container.provide(.b) { Numbered(try await $0.resolveOrCreate(.a).number + 1) }
        _ = try await container.services("m", "a").resolveOrCreate(.a)
        isReady.open()
        #expect(try await later.withLock { $0 }?.value.number == 2)
    }

    @Test("An error does not mention services that another task is making")
    func otherTasksPath() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        container.provide(.a) { _ in
            isMaking.open()
            await mayGoOn.pass()
            return Numbered(1)
        }
        let container = container
        async let making = container.services("m", "a").resolveOrCreate(.a).number
        await isMaking.pass()
        for (name, code) in [("b", ViperError.Code.serviceDenied), ("gone", .serviceMissing)] {
            let error = try await #require(throws: ViperError.self) {
                try await container.services("n", "gone").resolveOrCreate(ServiceKey<Numbered>(name))
            }
            #expect(error.code == code)
            #expect(error.notes.first?.text == "module n → \(name)")
        }
        mayGoOn.open()
        #expect(try await making == 1)
    }

    @Test("A service made by a replaced provider is not used as that of its successor")
    func replacedWhileMaking() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        container.provide(.a) { _ in
            isMaking.open()
            await mayGoOn.pass()
            return Numbered(1)
        }
        async let old = container.services("m", "a").resolveOrCreate(.a).number
        await isMaking.pass()
        container.removeAll(from: "pa")
        container.provide(.a) { _ in Numbered(2) }
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 2)
        mayGoOn.open()
        #expect(try await old == 1)
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 2)
    }

    @Test("The services of a stopped module are freed, also while a task of a factory still runs")
    func freed() async throws {
        let (isStopped, isOver) = (Gate(), Gate())
        weak var services: ModuleServices?
        weak var made: Numbered?
        func use() async throws {
            let provider = container.module("p")
            let module = try await ProvidingModule.make(with: provider) { _ in
                Task {
                    await isStopped.pass()
                    isOver.open()
                }
                return Numbered(1)
            }
            (services, made) = (provider, try await provider.resolveOrCreate(.a))
            #expect(made != nil)
            withExtendedLifetime(module) {}
        }
        try await use()
        #expect(await eventually { services == nil && made == nil })
        isStopped.open()
        await isOver.pass()
    }

    @Test("A service that is made after its module has stopped is dropped")
    func dropped() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        let made = Mutex(Weak())
        weak var services: ModuleServices?
        func use() async throws {
            let provider = container.module("p")
            services = provider
            let module = try await ProvidingModule.make(with: provider) { _ in
                isMaking.open()
                await mayGoOn.pass()
                let service = Numbered(1)
                made.withLock { $0.service = service }
                return service
            }
            let request = Task { try await provider.resolveOrCreate(.a) }
            await isMaking.pass()
            request.cancel()
            _ = await request.result
            withExtendedLifetime(module) {}
        }
        try await use()
        #expect(services != nil)
        mayGoOn.open()
        #expect(await eventually { services == nil && made.withLock { $0.service } == nil })
        #expect(container.creations.count == 0)
    }
}

private struct Weak {
    weak var service: Numbered?
}

/// A synchronous function, because the property cannot be read in an asynchronous one.
private func isMainThread() -> Bool { Thread.isMainThread }

extension ServiceContainer {
    /// Waits until so many requests wait for a service.
    fileprivate func waiters(_ count: Int, for key: ServiceKey<Numbered>) async {
        #expect(await eventually { self.waiters(of: key) == count })
    }

    /// Returns the services of a module that provides `a`.
    func module(_ name: String) -> ModuleServices {
        ModuleServices(
            consumer: ServiceConsumer(
                module: name, manifestFile: "", allowed: ["a", "c"], offers: ["a"], provides: ["a"], folders: []),
            own: ServiceContainer(beside: self), host: self, providers: [:])
    }
}
