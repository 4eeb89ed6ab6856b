import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Synchronization
package import ViperKit

/// The progress of a host's shutdown.
enum EndStep: Sendable {
    case serving, endingRescan, retiring, ended
}

extension ViperHost {
    /// Returns the error for a shutdown that took too long. The error names the modules whose code is running, or those
    /// whose scenes or instances have not ended.
    ///
    /// This method never blocks, so it works while a module blocks the main actor.
    package func overdue(after limit: Duration) -> ViperError {
        let step = step.withLock { $0 }
        let modules = registry.snapshot.modules
        func notes(_ label: String, _ isIncluded: (ModuleHistory) -> Bool) -> [ViperError.Note] {
            let names = modules.filter { isIncluded($0.history) }.map(\.name)
            let more = names.count > 10 ? [ViperError.Note(label, "\(names.count - 10) more")] : []
            return names.prefix(10).map { ViperError.Note(label, $0) } + more
        }
        var blocking = notes("has a running call") { $0.runningCalls > 0 } + notes("is starting") { $0.isStarting }
        let cause: String
        switch step {
        case .serving:
            cause = "open scenes did not close within \(limit.inSeconds)"
            // An idle scene is not at fault if a module's code is running.
            if blocking.isEmpty { blocking = notes("has open scenes") { $0.openScenes > 0 } }
        case .endingRescan: cause = "a rescan of the root did not finish within \(limit.inSeconds)"
        case .retiring:
            blocking += notes("did not end run()") { $0.hasActiveRun }
            blocking += notes("did not stop") { !$0.draining.isEmpty && !$0.hasActiveRun }
            let count = modules.count { !$0.history.draining.isEmpty }
            cause =
                count == 0
                ? "modules did not finish loading within \(limit.inSeconds)"
                : "\(counted(count, "module")) did not stop within \(limit.inSeconds)"
        case .ended: cause = "code that runs at process exit did not finish within \(limit.inSeconds)"
        }
        let hasActiveRun = modules.contains { $0.history.hasActiveRun }
        return ViperError(
            .timeLimit, operation: "cannot shut down the host of", subject: root.path, cause: cause, notes: blocking,
            fix: blocking.isEmpty
                ? nil
                : hasActiveRun
                    ? "make run() return when its task is cancelled"
                    : "make stop() and the calls of these modules return in time")
    }

    /// True if the code of a module is running or is being started.
    package var hasRunningCalls: Bool {
        registry.snapshot.modules.contains { $0.history.runningCalls > 0 || $0.history.isStarting }
    }

    /// Notes that the host is going to end. From now on, no end of a worker counts against its library.
    package func beginEnding() { quarantine.end() }

    package var isEnding: Bool { quarantine.isOver }

    /// Removes the host's temporary files. Call this method if the process exits without ``shutDown()``. No library can
    /// be loaded afterwards.
    package func removeFolder() { loader.end() }
}
