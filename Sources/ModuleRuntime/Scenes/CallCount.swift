import Synchronization
package import ViperKit

/// How often a module was called, over all its generations. A call is an open, the work that it begins, or an event.
package final class CallCount: Sendable {
    /// The numbers at one moment.
    package struct Numbers: Sendable, Equatable {
        package var calls = 0
        /// Calls that ended in an error.
        package var failures = 0
        /// How long all calls together have taken, waiting included.
        package var time = Duration.zero

        static func + (one: Self, other: Self) -> Self {
            Self(
                calls: one.calls + other.calls, failures: one.failures + other.failures, time: one.time + other.time)
        }
    }

    private let state = Mutex(Numbers())

    package init() {}

    package var numbers: Numbers { state.withLock { $0 } }

    /// Makes a call and counts it.
    @MainActor
    package func count<Value>(_ call: () async throws(ViperError) -> Value) async throws(ViperError) -> Value {
        let begin = ContinuousClock.now
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
        state.withLock { numbers in
            numbers.calls += 1
            numbers.failures += failures
            numbers.time += time
        }
    }
}
