import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

extension Installation {
    /// Tries a library in another process, in a root that has all other modules.
    ///
    /// - Returns: The reason why the module cannot be used yet, such as a missing provider. Nil if it can.
    /// - Throws: The error for which a host would refuse the library.
    func tryLibrary(
        _ library: String, _ manifest: Manifest, in staging: PrivateFolder
    ) async throws(ViperError) -> String? {
        let folder = try PrivateFolder(
            in: staging.path, prefix: "root-", fix: "make the folder writable", trust: root.trust)
        defer { folder.remove() }
        var configuration = configuration
        configuration.root = try root.overlay(in: folder, with: library, manifest, isPacked: true)
        (configuration.usesIndex, configuration.isLive) = (false, true)
        // The trial must not close the sockets of the host that serves.
        configuration.inheritedSockets = [:]
        configuration.settings.disabled.remove(manifest.name)
        // The error of the trial says all that matters.
        configuration.logger = LineLogger(source: "host", minimum: .error) { _ in }
        while true {
            let host = try ViperHost(configuration)
            let result = await withTaskCancellationHandler {
                await host.tried(manifest.name)
            } onCancel: {
                host.activator.codes.end()
            }
            await host.shutDown()
            do { return try result.get() } catch {
                // Another command has replaced a provider's library after the host has read its manifest.
                if error.code != .moduleOutdated || Task.isCancelled { throw error }
            }
        }
    }
}

extension ViperHost {
    /// Tries a module in another process. The result is the reason why the module lacks something that may come later, or
    /// an error if the host would refuse its library.
    fileprivate func tried(_ module: String) async -> Result<String?, ViperError> {
        await BlockingWork.run { self.checkLibraries() }
        let snapshot = registry.snapshot
        guard let record = snapshot.modules.first(where: { $0.name == module }) else {
            return .failure(
                ViperError(
                    .moduleUnknown, operation: "cannot try module", subject: module, cause: "no module has this name"))
        }
        do throws(ViperError) {
            if let refusal = record.state.refusal { throw refusal }
            try await activator.prove(record, in: snapshot)
            return .success(nil)
        } catch {
            return error.isLack ? .success(error.cause) : .failure(error)
        }
    }
}
