import Dispatch
import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleRuntime

/// Services that require each other, and concurrent resolution. No test here may wait forever.
@Suite(.hangLimit)
struct ServiceCycleTests {
    private let container = ServiceContainer()

    private func failure(_ key: ServiceKey<Numbered>) throws -> ViperError {
        try #require(throws: ViperError.self) { try container.services("m", "a", "b", "c").resolve(key) }
    }

    @Test("The error for two services that require each other names the whole cycle")
    func two() throws {
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { try $0.resolve(.a) }
        let error = try failure(.a)
        #expect(error.code == .serviceCycle)
        #expect(error.summary == "cannot create service \"a\": it depends on itself: a → b → a")
        #expect(error.notes == [.init("requested by", "module m → a → b → a")])
        #expect(error.recoverySuggestion == "resolve one of them later, when it is used")
    }

    @Test("The error for a cycle omits the path that leads to it")
    func tail() throws {
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { try $0.resolve(.c) }
        container.provide(.c, scope: .transient) { try $0.resolve(.b) }
        #expect(try failure(.a).cause == "it depends on itself: b → c → b")
    }

    @Test("A transient service that requires itself is a cycle of one")
    func one() throws {
        container.provide(.a, scope: .transient) { try $0.resolve(.a) }
        #expect(try failure(.a).cause == "it depends on itself: a → a")
    }

    @Test("A factory that uses another module's resolver does not hide the cycle")
    func capturedResolver() throws {
        let foreign = container.services("foreign", "a")
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { _ in try foreign.resolve(.a) }
        #expect(try failure(.a).cause == "it depends on itself: a → b → a")
    }

    @Test("A service that another one requires can also be resolved directly")
    func resolvedDirectly() throws {
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { _ in Numbered(7) }
        #expect(try container.services("m", "a").resolve(.a).number == 7)
        #expect(try container.services("m", "b").resolve(.b).number == 7)
    }

    @Test("Two threads that enter a cycle from both ends both throw an error", arguments: 0..<20)
    func twoThreads(round: Int) async {
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { try $0.resolve(.a) }
        let start = DispatchSemaphore(value: 0)
        @Sendable func resolve(_ key: ServiceKey<Numbered>) -> ViperError? {
            start.wait()
            do throws(ViperError) {
                _ = try container.services("m", "a", "b").resolve(key)
                return nil
            } catch { return error }
        }
        async let first = onOwnThread { resolve(.a) }
        async let second = onOwnThread { resolve(.b) }
        start.signal()
        start.signal()
        #expect(await first?.cause == "it depends on itself: a → b → a")
        #expect(await second?.cause == "it depends on itself: b → a → b")
    }

    @Test("Two threads whose requirements cross without a cycle both succeed")
    func crossed() async throws {
        let (inA, inB) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // One thread runs the factory of `a` while the other resolves `b`. First `b` and then `a` requires `c`.
        container.provide(.a) { services in
            inA.signal()
            inB.wait()
            return try services.resolve(.c)
        }
        container.provide(.b) { try $0.resolve(.c) }
        container.provide(.c) { _ in Numbered(3) }
        let container = container
        async let first = onOwnThread { try? container.services("m", "a").resolve(.a).number }
        async let second = onOwnThread { () -> Int? in
            inA.wait()
            inB.signal()
            return try? container.services("n", "b").resolve(.b).number
        }
        #expect(await first == 3)
        #expect(await second == 3)
    }

    @Test("A hundred concurrent tasks make a singleton once")
    func hundred() async throws {
        let tally = Tally()
        container.provide(.a) { services in Numbered(tally.next() + (try services.resolve(.b).number)) }
        container.provide(.b) { _ in Numbered(100 * tally.next()) }
        let container = container
        let made = await atOnce(100) {
            (try? container.services("m", "a").resolve(.a)).map(ObjectIdentifier.init)
        }
        #expect(made.count == 100)
        #expect(Set(made).count == 1 && made.first != .some(nil))
        #expect(tally.count == 2)
    }

    @Test("A thread that waits for a singleton gets the instance that another thread makes")
    func waitedForOther() async throws {
        let tally = Tally()
        let (isMaking, threads) = (DispatchSemaphore(value: 0), Steps())
        container.provide(.a) { _ in
            guard tally.next() == 1 else { return Numbered(2) }
            isMaking.signal()
            // Waits until the other thread is blocked, which only /proc shows.
            while threads.all.isEmpty || !threads.all.allSatisfy(isAsleep(task:)) { sched_yield() }
            return Numbered(1)
        }
        let container = container
        async let first = onOwnThread { try? container.services("m", "a").resolve(.a) }
        async let second = onOwnThread { () -> Numbered? in
            isMaking.wait()
            threads.add(resolved("/proc/thread-self") ?? "")
            return try? container.services("n", "a").resolve(.a)
        }
        let (made, found) = (try #require(await first), try #require(await second))
        #expect(made === found)
        #expect(tally.count == 1)
    }

    @Test("An error does not mention services that another thread is making")
    func otherThreadsChain() async throws {
        let (isMaking, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        container.provide(.a) { _ in
            isMaking.signal()
            mayGoOn.wait()
            return Numbered(1)
        }
        let container = container
        async let making = onOwnThread { try? container.services("m", "a").resolve(.a).number }
        let errors = await onOwnThread {
            isMaking.wait()
            defer { mayGoOn.signal() }
            return ["b", "gone"].map { name -> ViperError? in
                do throws(ViperError) {
                    _ = try container.services("n", "gone").resolve(ServiceKey<Numbered>(name))
                    return nil
                } catch { return error }
            }
        }
        #expect(await making == 1)
        #expect(errors.map(\.?.code) == [.serviceDenied, .serviceMissing])
        #expect(errors.map(\.?.notes.first?.text) == ["module n → b", "module n → gone"])
    }

    @Test("A service made by a replaced provider is not used as that of its successor")
    func replacedWhileMaking() async throws {
        let (isMaking, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        container.provide(.a) { _ in
            isMaking.signal()
            mayGoOn.wait()
            return Numbered(1)
        }
        let container = container
        async let old = onOwnThread { try? container.services("m", "a").resolve(.a).number }
        await onOwnThread {
            isMaking.wait()
            container.removeAll(from: "pa")
            container.provide(.a) { _ in Numbered(2) }
            mayGoOn.signal()
        }
        #expect(await old == 1)
        #expect(try container.services("m", "a").resolve(.a).number == 2)
    }
}

/// Returns true if a thread, given by its folder in `/proc`, is asleep.
private func isAsleep(task folder: String) -> Bool {
    let status = (try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)) ?? ""
    // The thread's name, which may contain any character, stands in parentheses before its state.
    return status.split(separator: ")").last?.hasPrefix(" S") ?? false
}
