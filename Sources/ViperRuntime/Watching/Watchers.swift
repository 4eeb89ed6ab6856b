import Synchronization

final class Watchers: Sendable {
    // The running watchers. Nil after the host has ended.
    private let all = Mutex<[Watcher]?>([])

    /// Adds a watcher, unless the host has ended.
    ///
    /// - Returns: False if the host has ended.
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
