import Synchronization

/// Who still uses a generation: its open scenes, and the generations of other modules that have services of it.
final class Uses: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Begins a use, unless it is too late.
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

    /// Returns when the last use has ended. None begins after that; until then those may that have found the generation before.
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
