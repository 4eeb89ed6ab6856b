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
        /// The number of calls by duration: for each of ``limits`` the calls that took longer than the limit before it,
        /// and at most this one. The last number counts those that took longer than all limits.
        package var durations = [Int](repeating: 0, count: limits.count + 1)

        /// The limits of ``durations``. Those of Prometheus' clients, and two shorter ones, because most calls take less
        /// than 5 ms.
        package static let limits: [Duration] = [
            .microseconds(1_000), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
            .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
            .milliseconds(2_500), .seconds(5), .seconds(10),
        ]

        static func + (one: Self, other: Self) -> Self {
            var sum = one
            sum.calls += other.calls
            sum.failures += other.failures
            sum.time += other.time
            for index in sum.durations.indices { sum.durations[index] += other.durations[index] }
            return sum
        }

        mutating func add(_ time: Duration, failures: Int) {
            calls += 1
            self.failures += failures
            self.time += time
            durations[Self.limits.firstIndex { time <= $0 } ?? Self.limits.count] += 1
        }
    }

    private struct Running {
        let route: String
        let begin: ContinuousClock.Instant
    }

    private struct State {
        /// The numbers of each route.
        var routes: [String: Numbers] = [:]
        var lastCall = 0
        /// The running calls, keyed by the call's number.
        var running: [Int: Running] = [:]
        /// The running calls that have exceeded their time limit. They are counted already.
        var overdue: Set<Int> = []

        mutating func add(_ call: Running, failures: Int) {
            routes[call.route, default: Numbers()].add(.now - call.begin, failures: failures)
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The numbers of each route that was called.
    package var routes: [String: Numbers] { state.withLock { $0.routes } }
    /// The numbers of all routes together.
    package var numbers: Numbers { routes.values.reduce(Numbers(), +) }
    /// The number of calls that have not returned.
    var running: Int { state.withLock { $0.running.count } }
    /// The time at which the oldest running call began that is not counted as overdue. Nil if there is none.
    package var oldest: ContinuousClock.Instant? { state.withLock { Self.oldest($0)?.value.begin } }

    @MainActor
    package func count<Value>(
        _ route: String, _ call: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        let running = Running(route: route, begin: .now)
        let number = state.withLock { state in
            state.lastCall += 1
            state.running[state.lastCall] = running
            return state.lastCall
        }
        do {
            let value = try await call()
            end(number, running, failures: 0)
            return value
        } catch {
            end(number, running, failures: 1)
            throw error
        }
    }

    /// Counts the oldest running call as failed, because its caller no longer waits. The call may never return.
    package func failOldest() {
        state.withLock { state in
            guard let (number, call) = Self.oldest(state) else { return }
            state.overdue.insert(number)
            state.add(call, failures: 1)
        }
    }

    private static func oldest(_ state: State) -> (key: Int, value: Running)? {
        state.running.filter { !state.overdue.contains($0.key) }.min { $0.value.begin < $1.value.begin }
    }

    private func end(_ number: Int, _ call: Running, failures: Int) {
        state.withLock { state in
            state.running[number] = nil
            if state.overdue.remove(number) == nil { state.add(call, failures: failures) }
        }
    }
}
