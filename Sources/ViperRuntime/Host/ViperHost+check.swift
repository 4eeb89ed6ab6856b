import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit

extension ViperHost {
    /// Takes a module through all phases up to the given phase.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name. Otherwise, the error from the phase that
    ///   failed.
    func check(_ module: String, _ phase: WorkerPhase) async throws(ViperError) {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module && $0.state != .retired }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot check module", subject: module, cause: "no module has this name")
        }
        switch phase {
        case .load: try await activator.load(record.file)
        case .arguments: try await checkArguments(record)
        case .make: _ = try await activator.activate(record.file)
        case .health: try await activator.checkHealth(of: try await activator.activate(record.file))
        case .stop:
            throw ViperError(
                .argumentsInvalid, operation: "cannot check module", subject: module,
                cause: "the phase is \(phase.rawValue), expected load, arguments, make or health")
        }
    }

    /// Compares the routes, services and argument types in a module's code with its manifest.
    ///
    /// - Throws: ``ViperError/Code/moduleFailed`` if they differ.
    private func checkArguments(_ record: ModuleRecord) async throws(ViperError) {
        let differences = try await activator.differences(record.file)
        guard let first = differences.first else { return }
        throw ViperError(
            .moduleFailed, operation: "cannot use module", subject: record.name, cause: first,
            notes: differences.dropFirst().map { .init("also", $0) },
            fix: "change the manifest or the code so that they agree")
    }
}
