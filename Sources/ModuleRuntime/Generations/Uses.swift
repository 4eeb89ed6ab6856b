import Synchronization

/// Counts the uses of a generation: its open scenes, and the generations of other modules that use its services.
final class Uses: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Begins a use.
    ///
    /// - Returns: False if the generation has already been drained.
    func begin() -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.count += 1
            return true
        }
    }

    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            if state.count > 0 || state.waiting.isEmpty { return [CheckedContinuation<Void, Never>]() }
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    /// Waits until no use is left. Uses can begin until then, but not afterwards.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.count == 0 { state.isOver = true } else { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
