import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

extension ViperHost {
    /// Logs the refused modules, and starts a task that logs every module that is added, replaced, refused or removed.
    ///
    /// - Returns: The task. After cancellation, it logs the last changes and ends. ``shutDown()`` cancels it.
    @discardableResult
    package func logChanges() -> Task<Void, Never> {
        // A single buffered change is enough to wake the task, because the snapshot contains all changes.
        let changes = registry.changes(keeping: .bufferingNewest(1))
        let snapshot = registry.snapshot
        for record in snapshot.modules {
            guard let error = record.state.refusal, !error.isUnfinished else { continue }
            logger.log(.warning, "\(record.name) is refused: \(error.summary)")
        }
        var log = RegistryLog(since: snapshot)
        // The task is detached, because a module may block the main actor.
        let task = Task.detached { [registry, logger] in
            var changes = changes.makeAsyncIterator()
            repeat {
                repeat {
                    // The pause skips short-lived states, such as a refusal while a manifest is being moved.
                    try? await Task.sleep(for: .milliseconds(500))
                    for (level, line) in log.lines(for: registry.snapshot) { logger.log(level, line) }
                } while !log.pending.isEmpty && !Task.isCancelled
            } while await changes.next() != nil
            for (level, line) in log.lines(for: registry.snapshot) { logger.log(level, line) }
        }
        changeLog.withLock { $0 = task }
        return task
    }
}
