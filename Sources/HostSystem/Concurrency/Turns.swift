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
    /// The turn before this one. Nil after the wait, so that finished turns do not retain each other.
    private let before: Mutex<Turn?>
    private let ended = OneShot<Void>()

    init(after before: Turn?) { self.before = Mutex(before) }

    package func wait() async {
        let before = before.withLock { before in
            defer { before = nil }
            return before
        }
        await before?.ended.value()
    }

    package func end() { ended.set() }
}
