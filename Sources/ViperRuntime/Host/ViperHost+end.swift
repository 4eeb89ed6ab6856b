import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
package import ViperKit

/// The steps from the last client to the end of a host.
enum EndStep: Sendable {
    case serving, endingRescan, retiring, ended
}

extension ViperHost {
    /// Returns the error of an end that took too long: it names what has not ended. Waits for nothing, so that it can be asked while
    /// a module blocks the main actor.
    package func overdue(after limit: Duration) -> ViperError {
        let modules = registry.snapshot.modules
        let (cause, label, names): (String, String, [String])
        switch step.withLock({ $0 }) {
        case .serving:
            cause = "the scenes of its clients did not close within \(limit)"
            (label, names) = ("has open scenes", modules.filter { $0.history.openScenes > 0 }.map(\.name))
        case .endingRescan:
            (cause, label, names) = ("a change of the root was still being taken after \(limit)", "", [])
        case .retiring:
            (label, names) = ("did not stop", modules.filter { !$0.history.draining.isEmpty }.map(\.name))
            cause =
                names.isEmpty
                ? "modules were still being loaded after \(limit)"
                : "\(names.count) module\(names.count == 1 ? "" : "s") did not stop within \(limit)"
        case .ended:
            (cause, label, names) = ("code that runs at the end of the process took longer than \(limit)", "", [])
        }
        let shown = names.prefix(10).map { ViperError.Note(label, $0) }
        let more = names.count > 10 ? [ViperError.Note(label, "\(names.count - 10) more")] : []
        return ViperError(
            .timeLimit, "cannot end the host of", root.path, cause: cause, notes: shown + more,
            mend: names.isEmpty ? nil : "let stop() and the calls of these modules return in time")
    }

    /// Removes what the host keeps on disk, for a process that ends without ``shutDown()``. Nothing is loaded afterwards.
    package func removeFolder() { loader.end() }
}
