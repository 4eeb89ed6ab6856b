import Synchronization

/// Lets what is asked of one scene happen one after the other, in the order in which it was asked.
package final class Turns: Sendable {
    private let last = Mutex<Turn?>(nil)

    package init() {}

    /// Queues up. Whoever does has to ``Turn/end()`` it.
    package func next() -> Turn {
        last.withLock { last in
            let turn = Turn(after: last)
            last = turn
            return turn
        }
    }
}

/// A place in a queue.
package final class Turn: Sendable {
    private struct State {
        /// Nil once it was waited for, so that turns that are over do not hold each other.
        var before: Turn?
        var isOver = false
        var next: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(after before: Turn?) { state = Mutex(State(before: before)) }

    /// Returns when it has come.
    package func wait() async {
        let before = state.withLock { state in
            defer { state.before = nil }
            return state.before
        }
        await before?.ended()
    }

    /// Lets the next one begin.
    package func end() {
        let next = state.withLock { state in
            state.isOver = true
            defer { state.next = nil }
            return state.next
        }
        next?.resume()
    }

    private func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.next = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
