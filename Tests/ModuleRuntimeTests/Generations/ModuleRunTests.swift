import Dispatch
import HostDriver
import HostSystem
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// The work of a module without a screen: restarts, pauses and cancellation. No test waits for a pause.
@Suite(.hangLimit)
struct ModuleRunTests {
    private static let fault = ViperError(
        .moduleFailed, operation: "cannot run module", subject: "it", cause: "it threw Fault()")

    /// A clock on which a pause takes no time. Each call of `run()` takes as long as the test says.
    private final class Pauses: Clock {
        private let state = Mutex((now: ContinuousClock.now, pauses: [Duration]()))

        var now: ContinuousClock.Instant { state.withLock { $0.now } }
        var minimumResolution: Duration { .nanoseconds(1) }
        var pauses: [Duration] { state.withLock { $0.pauses } }

        func pass(_ time: Duration) { state.withLock { $0.now += time } }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) {
            state.withLock { state in
                state.pauses.append(deadline - state.now)
                state.now = deadline
            }
        }
    }

    private func started(
        _ clock: Pauses, _ body: @escaping @Sendable (Int) async throws(ViperError) -> Void
    ) async -> (run: ModuleRun, last: ModuleRun.State) {
        let (run, calls, last) = (ModuleRun(clock: clock), Tally(), OneShot<ModuleRun.State>())
        run.start(after: []) { state in
            switch state {
            case .running, .restarting: break
            case .finished, .failed: last.set(state)
            }
        } _: { () async throws(ViperError) in
            try await body(calls.next())
        }
        return (run, await last.value())
    }

    @Test("The work belongs to no request, although one has started it")
    func request() async {
        let clock = Pauses()
        let id = Mutex<String?>("none")
        _ = await RequestID.with("r-1") {
            await started(clock) { _ in id.withLock { $0 = RequestID.current } }
        }
        #expect(id.withLock { $0 } == nil)
    }

    @Test("Five failures in a row are final, after four growing pauses")
    func failures() async {
        let clock = Pauses()
        let (run, last) = await started(clock) { _ throws(ViperError) in throw Self.fault }
        #expect(last == .failed(Self.fault) && run.state == last)
        #expect(clock.pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        await run.end()
        #expect(!run.isActive)
    }

    @Test("A failure after a long time begins a new series")
    func longRuns() async {
        let clock = Pauses()
        let (_, last) = await started(clock) { call throws(ViperError) in
            if call == 8 { return }
            clock.pass(call % 4 == 0 ? .seconds(61) : .zero)
            throw Self.fault
        }
        #expect(last == .finished)
        let seconds = clock.pauses.map { Int($0 / .seconds(1)) }
        #expect(seconds == [1, 2, 4, 1, 2, 4, 8])
    }

    @Test("Failures outside the module are never final")
    func shortage() async {
        let clock = Pauses()
        let (_, last) = await started(clock) { call throws(ViperError) in if call < 9 { throw .shortage } }
        #expect(last == .finished)
        #expect(clock.pauses.map { Int($0 / .seconds(1)) } == [1, 2, 4, 8, 16, 32, 60, 60])
    }

    @Test("A cancelled run is not restarted, and reports nothing but its start")
    func cancelled() async {
        let (run, begun, notes) = (ModuleRun(), OneShot<Void>(), Steps())
        run.start(after: []) {
            notes.add($0.name)
        } _: { () async throws(ViperError) in
            begun.set()
            try? await Task.sleep(for: Patience.limit)
            throw Self.fault
        }
        await begun.value()
        run.cancel()
        await run.end()
        #expect(notes.all == ["running"] && !run.isActive)
    }

    @Test("A run that was cancelled before its start never starts")
    func cancelledBefore() async {
        let run = ModuleRun()
        run.cancel()
        run.start(after: []) { _ in
        } _: {
            Issue.record("it runs")
        }
        await run.end()
        #expect(run.state == nil && !run.isActive)
    }

    @Test("A run starts after the run of the earlier generation has ended, and only once")
    func order() async {
        let (old, new, steps) = (ModuleRun(), ModuleRun(), Steps())
        let (begun, gate) = (OneShot<Void>(), OneShot<Void>())
        old.start(after: []) { _ in
        } _: {
            begun.set()
            await gate.value()
            steps.add("old ends")
        }
        await begun.value()
        old.cancel()
        for _ in 0..<2 {
            new.start(after: [old]) { _ in
            } _: {
                steps.add("new begins")
            }
        }
        gate.set()
        await old.end()
        await new.end()
        #expect(steps.all == ["old ends", "new begins"])
    }

    @Test("Runs that block their threads do not keep others from running")
    func blocking() async {
        let (held, release) = (OneShot<Void>(), DispatchSemaphore(value: 0))
        var runs: [ModuleRun] = []
        for number in 0..<64 {
            let run = ModuleRun()
            run.start(after: []) { _ in
            } _: {
                if number == 63 { held.set() } else { Self.hold(release) }
            }
            runs.append(run)
        }
        await held.value()
        for _ in 0..<63 { release.signal() }
        for run in runs {
            run.cancel()
            await run.end()
        }
    }

    private static func hold(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
