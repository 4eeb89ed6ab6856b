import Synchronization

/// The forms of a window, which are executed in the order in which they arrive.
final class FormQueue: Sendable {
    private struct State {
        /// The form that arrived last.
        var last: Task<Void, Never>?
        /// The number of forms that are not executed yet.
        var waiting = 0
    }

    private let state = Mutex(State())

    /// The maximum number of forms that wait.
    private static let limit = 8

    /// Executes work after all earlier work.
    ///
    /// - Returns: A task that ends with the work. Nil if too much work is waiting.
    func add(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            if state.waiting >= Self.limit { return nil }
            state.waiting += 1
            let last = state.last
            let task = Task {
                await last?.value
                await work()
                self.state.withLock { $0.waiting -= 1 }
            }
            state.last = task
            return task
        }
    }
}
