package import ModuleCatalog
package import ViperKit

/// A host for modules that are linked into this process. It has a registry, a router and a container, but no root and
/// no libraries.
package final class LinkedModules: Sendable {
    package let registry: Registry
    package let router: Router
    private let activator: Activator

    /// Creates a host and registers its modules.
    ///
    /// - Parameters:
    ///   - catalog: The modules' manifests.
    ///   - types: The modules' types, keyed by manifest file.
    ///   - services: The host's services.
    package init(_ catalog: [CatalogEntry], linkedTo types: [String: any Module.Type], services: ServiceContainer) {
        let wiring = ServiceWiring(hostServices: services.names)
        registry = Registry(wiring: wiring)
        activator = Activator(registry: registry, codes: LinkedCodeSource(types: types), services: services) {
            record, manifest throws(ViperError) in
            try ServiceConsumer(manifest, in: record.file, wiring: wiring, settings: Settings(), resources: nil)
        }
        router = Router(registry: registry, activator: activator)
        registry.register(catalog)
        registry.refuse { manifest, _ throws(ViperError) in _ = try manifest.configuration(under: Settings()) }
    }

    /// Returns the module that a manifest file declares, creating the module if necessary.
    @MainActor
    package func module(fromManifest file: String) async throws(ViperError) -> (any Module)? {
        try await activator.activate(file).module
    }

    /// Returns a service of the module that a manifest file declares, creating the service if necessary.
    package func provided<Service>(
        _ key: ServiceKey<Service>, fromManifest file: String
    ) async throws(ViperError) -> Service {
        try await activator.activate(file).services.resolveOrCreate(key)
    }

    /// Retires a module. Returns after its last scene has closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name.
    package func retire(_ module: String) async throws(ViperError) {
        try await activator.retire(module: module)
    }

    /// Retires all modules. All windows must be closed first.
    package func shutDown() async { await activator.retireAll() }
}
