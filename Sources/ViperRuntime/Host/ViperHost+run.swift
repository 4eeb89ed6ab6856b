import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleRuntime
import ViperKit

extension ViperHost {
    /// Starts the work of all modules whose manifests say so, now and whenever modules change. Returns at once.
    package func startRuns() {
        followSockets()
        Task.detached { [reconciler] in await reconciler.startRuns([.serving, .configured, .always]) }
    }

    /// True if the manifest of a module says that its work starts in each host.
    package var hasRuns: Bool { registry.snapshot.modules.contains { $0.files.runs == .always } }

    /// Starts the work of the modules that run in each host. Returns when the modules are created, and logs a warning for
    /// each one that cannot be used.
    package func startRunsOfEachHost() async {
        followSockets()
        await reconciler.startRuns([.always])
        await reconciler.idle()
        for record in registry.snapshot.modules where record.files.runs == .always && record.generation == nil {
            guard let error = record.state.refusal ?? record.rejection else { continue }
            logger.log(.warning, "cannot run module \(record.label): \(error.summary)")
        }
    }

    /// Calls the `run()` of a module in this worker.
    ///
    /// - Returns: False if the task was cancelled.
    /// - Throws: The error that `run()` throws. ``ViperError/Code/moduleFailed`` if this host runs the module itself.
    func run(_ module: String) async throws(ViperError) -> Bool {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module && $0.state != .retired }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot run module", subject: module, cause: "no module has this name")
        }
        let generation = try await activator.activate(record.file)
        if let state = generation.run.state {
            throw ViperError(
                .moduleFailed, operation: "cannot run module", subject: module,
                cause: "this host runs it: \(state.name)")
        }
        do { try await generation.runOnce() } catch { if !Task.isCancelled { throw error } }
        return !Task.isCancelled
    }
}
