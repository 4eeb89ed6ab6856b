import Dispatch
import Glibc
package import HostSystem
import Synchronization
import ViperKit

/// A watcher that reports which files in a set of folders may have changed.
///
/// A report may be a false alarm, so the receiver must compare the contents. No change is missed. Files that were
/// written, moved, linked or removed are reported immediately. A new file is reported when its writer closes it.
///
/// ```swift
/// let watcher = Watcher(folders: [root.manifests, root.plugins], logger: logger)
/// readFolders()
/// while let paths = await watcher.next() { readAgain(paths) }
/// ```
///
/// Symbolic links are followed, even through folders that are not watched. A watched folder may be missing at first.
/// Subfolders are not watched. Moving a parent of a watched folder is not supported.
package final class Watcher: Sendable {
    /// The time between two listings of the folders if the kernel cannot send notices.
    static let interval = DispatchTimeInterval.seconds(2)

    /// The queue that handles notices. It does not wait for the main actor or for Swift's cooperative pool.
    let queue = DispatchQueue(label: "watcher", qos: .userInitiated)
    private let state: Mutex<WatcherState>
    private let logger: LineLogger
    /// A stream that wakes the receiver when there are changes to report.
    private let bell: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// Creates a watcher that starts watching folders. Files that already exist are not reported. The paths must be
    /// absolute.
    package init(folders: [String], logger: LineLogger) {
        state = Mutex(WatcherState(folders: folders))
        self.logger = logger
        bell = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        update(.begin)
    }

    deinit { stop() }

    /// Waits until files may have changed, and returns the paths of the files or of whole folders. All changes between
    /// two calls are collected in a single report. Only one receiver is supported.
    ///
    /// - Returns: The paths, or nil after ``stop()`` or if the task was cancelled.
    package func next() async -> Set<String>? {
        for await _ in bell.stream {
            let report = state.withLock { $0.takeReport() }
            if !report.isEmpty { return report }
        }
        return nil
    }

    package func stop() {
        let kernel = state.withLock { $0.end() }
        kernel?.source?.cancel()
        bell.continuation.finish()
    }

    /// Changes the state and performs the resulting steps.
    private func update(_ change: WatcherState.Change) {
        let (steps, warnings) = state.withLock { ($0.apply(change), $0.takeWarnings()) }
        for warning in warnings { logger.log(.warning, warning) }
        if steps.contains(.report) { bell.continuation.yield() }
        if steps.contains(.listen) { listen() }
        if steps.contains(.poll) {
            queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.update(.poll) }
        }
        // Planning comes last, so that it does not delay the report.
        if steps.contains(.plan) { update(.plan) }
    }

    private func listen() {
        state.withLock { state in
            guard let inotify = state.kernel?.inotify else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: inotify.descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.update(.notices) }
            // The descriptor must stay open until the source is cancelled.
            source.setCancelHandler { withExtendedLifetime(inotify) {} }
            source.activate()
            state.listen(with: source)
        }
    }
}
