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
    /// Returns the error for a shutdown that took too long. The error names the scenes or modules that have not ended.
    ///
    /// This method never blocks, so it works while a module blocks the main actor.
    package func overdue(after limit: Duration) -> ViperError {
        let modules = registry.snapshot.modules
        let (cause, label, names): (String, String, [String])
        switch step.withLock({ $0 }) {
        case .serving:
            cause = "scenes of its clients did not close within \(limit)"
            (label, names) = ("has open scenes", modules.filter { $0.history.openScenes > 0 }.map(\.name))
        case .endingRescan:
            (cause, label, names) = ("a rescan of the root did not finish within \(limit)", "", [])
        case .retiring:
            (label, names) = ("did not stop", modules.filter { !$0.history.draining.isEmpty }.map(\.name))
            cause =
                names.isEmpty
                ? "modules did not finish loading within \(limit)"
                : "\(names.count) module\(names.count == 1 ? "" : "s") did not stop within \(limit)"
        case .ended:
            (cause, label, names) = ("code that runs at process exit did not finish within \(limit)", "", [])
        }
        let shown = names.prefix(10).map { ViperError.Note(label, $0) }
        let more = names.count > 10 ? [ViperError.Note(label, "\(names.count - 10) more")] : []
        return ViperError(
            .timeLimit, operation: "cannot shut down the host of", subject: root.path, cause: cause,
            notes: shown + more,
            fix: names.isEmpty ? nil : "make stop() and the calls of these modules return in time")
    }

    /// Notes that the host is going to end. From now on, no end of a worker counts against its library.
    package func beginEnding() { quarantine.end() }

    /// Removes the host's temporary files. Call this method if the process exits without ``shutDown()``. No library can
    /// be loaded afterwards.
    package func removeFolder() { loader.end() }
}
