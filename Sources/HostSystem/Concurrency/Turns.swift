import Synchronization

/// A FIFO queue that lets one task run at a time.
package final class Turns: Sendable {
    private let last = Mutex<Turn?>(nil)

    package init() {}

    /// Adds a turn to the queue and returns it. The caller must call ``Turn/end()`` to start the next turn.
    package func next() -> Turn {
        last.withLock { last in
            let turn = Turn(after: last)
            last = turn
            return turn
        }
    }
}

/// A place in the queue of ``Turns``.
package final class Turn: Sendable {
    /// The previous turn. ``wait()`` sets it to nil, so that finished turns do not retain each other.
    private let before: Mutex<Turn?>
    private let ended = OneShot<Void>()

    init(after before: Turn?) { self.before = Mutex(before) }

    /// Waits until the previous turn has ended. If that turn has already ended, the caller stays on its thread.
    package nonisolated(nonsending) func wait() async {
        let before = before.withLock { before in
            defer { before = nil }
            return before
        }
        await before?.ended.value()
    }

    package func end() { ended.set() }
}
