import Synchronization

/// A FIFO queue that runs the requests of one scene one at a time.
package final class Turns: Sendable {
    private let last = Mutex<Turn?>(nil)

    package init() {}

    /// Adds a turn to the queue. The caller must call ``Turn/end()``.
    package func next() -> Turn {
        last.withLock { last in
            let turn = Turn(after: last)
            last = turn
            return turn
        }
    }
}

package final class Turn: Sendable {
    private struct State {
        /// Nil after the wait, so that finished turns do not retain each other.
        var before: Turn?
        var isOver = false
        var next: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(after before: Turn?) { state = Mutex(State(before: before)) }

    package func wait() async {
        let before = state.withLock { state in
            defer { state.before = nil }
            return state.before
        }
        await before?.ended()
    }

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
