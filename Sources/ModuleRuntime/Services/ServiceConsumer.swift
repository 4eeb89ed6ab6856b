package import HostSystem
package import ModuleCatalog
package import ViperKit

/// A module that asks for services.
package struct ServiceConsumer: Sendable {
    package var module: String
    var manifestFile: String
    /// The place to edit the manifest, as text for a fix.
    var manifestPlace: String {
        manifestFile.hasSuffix(".so") ? "the manifest that \(manifestFile) carries, and rebuild it" : manifestFile
    }
    /// The services in the manifest's `requires`, `optional` and `provides`.
    var allowed: Set<String>
    /// The services that the module provides and is selected for.
    var provides: Set<String> = []
    /// The folders that the module's file reader searches, in this order.
    package var folders: [String]
    /// The folder that the module's file reader searches last.
    package var resources: TrustedPath?
    /// The configuration, already checked against the manifest. If nil, the module has no configuration keys.
    package var configuration: ModuleConfiguration?
    /// The services that the module provides although another provider is selected.
    var idle: Set<String> = []
    /// An allowed service that the module does not get, for tests.
    package var withheld: String?
    /// Called when the module asks for a service that it may not use.
    package var onDenial: (@Sendable (_ module: String, ViperError) -> Void)?
}

/// The services that a generation of a module can resolve.
package struct ModuleServices: ServiceResolver {
    let consumer: ServiceConsumer
    let own: ServiceContainer
    let host: ServiceContainer
    /// The services of other modules' generations, by service name.
    let providers: [String: ServiceContainer]
    /// The reasons why optional services are not available, by service name.
    var withheld: [String: ViperError] = [:]

    package func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        if key.name == consumer.withheld {
            throw ViperError(.serviceMissing, "cannot resolve service", key.name, cause: "it is withheld by a test")
        }
        guard consumer.allowed.contains(key.name) else {
            let error = host.denial(of: key.name, to: consumer)
            consumer.onDenial?(consumer.module, error)
            throw error
        }
        if let error = withheld[key.name], !consumer.provides.contains(key.name) { throw error }
        let container = consumer.provides.contains(key.name) ? own : providers[key.name] ?? host
        return try container.resolve(key, for: consumer)
    }
}
