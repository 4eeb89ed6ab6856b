import Synchronization

/// The watchers of a host, until it ends.
final class Watchers: Sendable {
    // Nil once the host has ended.
    private let all = Mutex<[Watcher]?>([])

    /// - Returns: Whether it is not too late.
    func add(_ watcher: Watcher) -> Bool {
        all.withLock { all in
            all?.append(watcher)
            return all != nil
        }
    }

    func stop() {
        let watchers = all.withLock { all in
            defer { all = nil }
            return all ?? []
        }
        watchers.forEach { $0.stop() }
    }
}
