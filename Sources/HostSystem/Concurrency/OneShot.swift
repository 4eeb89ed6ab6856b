import Synchronization

/// A value that is set once. Any number of tasks can wait until it is set.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isSet: Bool { state.withLock { $0.value != nil } }

    /// Sets the value and resumes all waiting tasks. If a value is already set, this method has no effect.
    package func set(_ value: Value) {
        let waiting = state.withLock { state in
            if state.value == nil { state.value = value }
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in waiting { task.resume(returning: value) }
    }

    /// Waits until the value is set, and returns it. If the value is already set, the caller stays on its thread.
    /// Cancelling the task does not end the wait.
    package nonisolated(nonsending) func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiting.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

extension OneShot<Void> {
    /// Sets the value and resumes all waiting tasks.
    package func set() { set(()) }
}
