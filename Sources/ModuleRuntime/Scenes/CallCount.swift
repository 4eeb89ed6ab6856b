import Synchronization
package import ViperKit

/// A counter for the calls to a module across all its generations. A call opens a scene, loads a scene, or handles an
/// event.
package final class CallCount: Sendable {
    package struct Numbers: Sendable, Equatable {
        package var calls = 0
        /// The number of calls that threw an error.
        package var failures = 0
        /// The total duration of all calls, including the time that they spend waiting.
        package var time = Duration.zero

        static func + (one: Self, other: Self) -> Self {
            Self(
                calls: one.calls + other.calls, failures: one.failures + other.failures, time: one.time + other.time)
        }
    }

    private struct State {
        var numbers = Numbers()
        var lastCall = 0
        /// The times at which the running calls began, keyed by the call's number.
        var running: [Int: ContinuousClock.Instant] = [:]
        /// The running calls that have exceeded their time limit. They are counted already.
        var overdue: Set<Int> = []

        mutating func add(since begin: ContinuousClock.Instant, failures: Int) {
            numbers.calls += 1
            numbers.failures += failures
            numbers.time += ContinuousClock.now - begin
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var numbers: Numbers { state.withLock { $0.numbers } }
    /// The number of calls that have not returned.
    var running: Int { state.withLock { $0.running.count } }
    /// The time at which the oldest running call began that is not counted as overdue. Nil if there is none.
    package var oldest: ContinuousClock.Instant? { state.withLock { Self.oldest($0)?.value } }

    @MainActor
    package func count<Value>(_ call: () async throws(ViperError) -> Value) async throws(ViperError) -> Value {
        let begin = ContinuousClock.now
        let number = state.withLock { state in
            state.lastCall += 1
            state.running[state.lastCall] = begin
            return state.lastCall
        }
        do {
            let value = try await call()
            end(number, since: begin, failures: 0)
            return value
        } catch {
            end(number, since: begin, failures: 1)
            throw error
        }
    }

    /// Counts the oldest running call as failed, because its caller no longer waits. The call may never return.
    package func failOldest() {
        state.withLock { state in
            guard let (number, begin) = Self.oldest(state) else { return }
            state.overdue.insert(number)
            state.add(since: begin, failures: 1)
        }
    }

    private static func oldest(_ state: State) -> (key: Int, value: ContinuousClock.Instant)? {
        state.running.filter { !state.overdue.contains($0.key) }.min { $0.value < $1.value }
    }

    private func end(_ number: Int, since begin: ContinuousClock.Instant, failures: Int) {
        state.withLock { state in
            state.running[number] = nil
            if state.overdue.remove(number) == nil { state.add(since: begin, failures: failures) }
        }
    }
}
