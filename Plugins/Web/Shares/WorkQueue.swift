import Synchronization

/// Work that is done in the order in which it arrives, each piece after the earlier ones have ended.
final class WorkQueue: Sendable {
    private struct State {
        /// The end of the piece that arrived last.
        var last: Task<Void, Never>?
        /// The number of pieces that have not ended.
        var waiting = 0
    }

    private let state = Mutex(State())

    /// Adds a piece of work. It must not wait for a later one.
    func add<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        state.withLock { append(work, to: &$0) }
    }

    /// Adds a piece of work if fewer than `limit` wait.
    func add<Value: Sendable>(
        ifFewerThan limit: Int, _ work: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never>? {
        state.withLock { $0.waiting < limit ? append(work, to: &$0) : nil }
    }

    private func append<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, to state: inout State
    ) -> Task<Value, Never> {
        state.waiting += 1
        let last = state.last
        let task = Task {
            await last?.value
            defer { self.state.withLock { $0.waiting -= 1 } }
            return await work()
        }
        state.last = Task { _ = await task.value }
        return task
    }
}
