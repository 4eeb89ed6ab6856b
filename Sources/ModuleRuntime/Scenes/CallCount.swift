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
        var running = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var numbers: Numbers { state.withLock { $0.numbers } }
    /// The number of calls that have not returned.
    var running: Int { state.withLock { $0.running } }

    @MainActor
    package func count<Value>(_ call: () async throws(ViperError) -> Value) async throws(ViperError) -> Value {
        let begin = ContinuousClock.now
        state.withLock { $0.running += 1 }
        do {
            let value = try await call()
            add(since: begin, failures: 0)
            return value
        } catch {
            add(since: begin, failures: 1)
            throw error
        }
    }

    private func add(since begin: ContinuousClock.Instant, failures: Int) {
        let time = ContinuousClock.now - begin
        state.withLock { state in
            state.running -= 1
            state.numbers.calls += 1
            state.numbers.failures += failures
            state.numbers.time += time
        }
    }
}
