import Synchronization

/// The sequences that other modules and the host read of the sessions.
final class SessionObservers<Element: Sendable>: Sendable {
    private struct State {
        var observers: [Int: AsyncStream<Element>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// The number of sequences that are still read.
    var count: Int { state.withLock { $0.observers.count } }

    /// Returns a sequence of the elements from now on.
    func stream() -> AsyncStream<Element> {
        let (stream, observer) = AsyncStream.makeStream(of: Element.self)
        let number = state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return state.last
        }
        observer.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[number] = nil } }
        return stream
    }

    /// Adds an element to the sequences.
    func yield(_ element: Element) {
        // Not under the lock: a reading task that is being cancelled holds a lock of its own while it waits for this one.
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(element) }
    }
}
