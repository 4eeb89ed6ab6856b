package import ModuleCatalog
package import ViperKit

/// Modules that are linked into this process: the registry, the router and the container of a host, without a root and libraries.
package final class LinkedModules: Sendable {
    package let registry: Registry
    package let router: Router
    private let activator: Activator

    /// Registers modules.
    ///
    /// - Parameters:
    ///   - catalog: The modules' manifests.
    ///   - entries: The modules' entries, by their manifest files.
    ///   - services: The services of the host.
    package init(_ catalog: [CatalogEntry], linkedTo entries: [String: ModuleEntry], services: ServiceContainer) {
        let wiring = ServiceWiring(hostServices: services.names)
        registry = Registry(wiring: wiring)
        activator = Activator(registry: registry, codes: LinkedCodeSource(entries: entries), services: services) {
            record, manifest throws(ViperError) in
            try ServiceConsumer(manifest, in: record.file, wiring: wiring, settings: Settings(), resources: nil)
        }
        router = Router(registry: registry, activator: activator)
        registry.register(catalog)
        registry.resolve()
        registry.refuse { manifest throws(ViperError) in _ = try manifest.configuration(under: Settings()) }
    }

    /// Returns the module from a manifest file. It is made if it was not yet.
    @MainActor
    package func module(fromManifest file: String) async throws(ViperError) -> (any Module)? {
        try await activator.activate(file).module
    }

    /// Returns what the module from a manifest file provides under a key.
    package func provided<Service>(
        _ key: ServiceKey<Service>, fromManifest file: String
    ) async throws(ViperError) -> Service {
        try await activator.activate(file).services.prepare(key)
    }

    /// Takes a module out of service. Returns when its last scene has closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown``.
    package func retire(_ module: String) async throws(ViperError) {
        try await activator.retire(module: module)
    }

    /// Retires every module. Windows have to be closed before.
    package func shutDown() async { await activator.retireAll() }
}
