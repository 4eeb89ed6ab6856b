import Dispatch
import Glibc
package import HostSystem
import Synchronization
import ViperKit

/// Tells which files in some folders may have changed.
///
/// Who hears of it looks at the content: a report may be a false alarm, but no change goes unreported. What was written, moved
/// or linked there is reported at once; what was removed, only when it has not come back within ``patience``, since many
/// programs save a file by moving the old one away. A file that is being written is reported when it is closed.
///
/// ```swift
/// let watcher = Watcher(folders: [root.manifests, root.plugins], logger: logger)
/// read the folders
/// while let paths = await watcher.next() { read again }
/// ```
///
/// Symbolic links are followed, over folders that are not watched too. A folder need not be there yet. Folders in these folders
/// are not looked into, and a folder above them may not be moved.
package final class Watcher: Sendable {
    /// How long something that was removed may take to come back.
    static let patience = DispatchTimeInterval.milliseconds(100)
    /// How often the folders are listed where the kernel cannot tell.
    static let interval = DispatchTimeInterval.seconds(2)

    /// Where notices are handled: neither the main actor nor a thread of Swift's pool waits for them.
    let queue = DispatchQueue(label: "watcher", qos: .userInitiated)
    private let state: Mutex<WatcherState>
    /// Says that there is something to report.
    private let bell: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// Watches these folders from now on. What was there before is not reported. Their paths are absolute.
    package init(folders: [String], logger: LineLogger) {
        state = Mutex(WatcherState(folders: folders, logger: logger))
        bell = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        update { $0.begin() }
    }

    deinit { stop() }

    /// Waits until something may have changed, and returns the paths: of files, or of a whole folder. All that changes while
    /// nobody waits is gathered, and comes in one report. For one receiver.
    ///
    /// - Returns: Nil after ``stop()``, or when the task was cancelled.
    package func next() async -> Set<String>? {
        for await _ in bell.stream {
            let report = state.withLock { $0.takeReport() }
            if !report.isEmpty { return report }
        }
        return nil
    }

    /// Ends all reports.
    package func stop() {
        state.withLock { $0.end() }
        bell.continuation.finish()
    }

    /// Changes the state, and does what then is to be done.
    private func update(_ change: (inout WatcherState) -> WatcherState.Steps) {
        let steps = state.withLock { change(&$0) }
        if steps.contains(.report) { bell.continuation.yield() }
        if steps.contains(.listen) { listen() }
        if steps.contains(.settle) { after(Self.patience) { $0.settle() } }
        if steps.contains(.poll) { after(Self.interval) { $0.poll() } }
        // After the report: nobody waits for it.
        if steps.contains(.plan) { update { $0.plan() } }
    }

    private func after(
        _ time: DispatchTimeInterval, _ change: @escaping @Sendable (inout WatcherState) -> WatcherState.Steps
    ) {
        queue.asyncAfter(deadline: .now() + time) { [weak self] in self?.update(change) }
    }

    private func listen() {
        state.withLock { state in
            guard let inotify = state.inotify else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: inotify.descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.update { $0.takeNotices() } }
            // The descriptor must stay open until the source has let go of it.
            source.setCancelHandler { withExtendedLifetime(inotify) {} }
            source.activate()
            state.source = source
        }
    }
}
