package import Dispatch
import Synchronization

/// Deadlines that share one timer, because starting and cancelling a timer usually takes longer than the work that the
/// deadline limits.
package final class Deadlines: Sendable {
    private struct Deadline {
        let due: SuspendingClock.Instant
        let onMiss: @Sendable () -> Void
    }

    private struct State {
        var lastNumber = 0
        var deadlines: [Int: Deadline] = [:]
        /// The alarm, and the time at which it rings. It stays set if its deadline is removed. Nil if there was no
        /// deadline when the alarm last rang.
        var alarm: (alarm: Alarm, due: SuspendingClock.Instant)?
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Creates an empty set of deadlines.
    ///
    /// - Parameter queue: The queue that calls the closures of missed deadlines.
    package init(on queue: DispatchQueue) { self.queue = queue }

    deinit { state.withLock { $0.alarm }?.alarm.cancel() }

    /// Adds a deadline.
    ///
    /// - Parameter onMiss: A closure that is called once at the deadline, unless the deadline was removed before. A
    ///   deadline that is removed while it is missed may still be reported. The closures of deadlines that are missed
    ///   together are called in the order of time.
    /// - Returns: A number that identifies the deadline.
    package func add(after time: Duration, _ onMiss: @escaping @Sendable () -> Void) -> Int {
        let (number, late) = state.withLock { state in
            state.lastNumber += 1
            state.deadlines[state.lastNumber] = Deadline(due: .now + time, onMiss: onMiss)
            let isLate = state.alarm.map { $0.due > .now + time } ?? true
            return (state.lastNumber, isLate ? setAlarm(&state, after: time) : nil)
        }
        late?.cancel()
        return number
    }

    package func remove(_ number: Int) { state.withLock { $0.deadlines[number] = nil } }

    /// Replaces the alarm.
    ///
    /// - Returns: The alarm to cancel.
    private func setAlarm(_ state: inout State, after time: Duration) -> Alarm? {
        defer {
            // The alarm rounds down to milliseconds.
            let alarm = Alarm(after: time + .milliseconds(1), on: queue) { [weak self] in self?.ring() }
            state.alarm = (alarm, .now + time)
        }
        return state.alarm?.alarm
    }

    private func ring() {
        let now = SuspendingClock.now
        let (missed, rung) = state.withLock { state in
            let missed = state.deadlines.filter { $0.value.due <= now }
            for number in missed.keys { state.deadlines[number] = nil }
            var rung = state.alarm?.alarm
            if let next = state.deadlines.values.map(\.due).min() {
                rung = setAlarm(&state, after: next - now)
            } else {
                state.alarm = nil
            }
            return (missed.values.sorted { $0.due < $1.due }, rung)
        }
        rung?.cancel()
        for deadline in missed { deadline.onMiss() }
    }
}
