package import HostSystem
package import ModuleCatalog
package import ViperKit

/// A module as the container knows it: what it may ask for, and what is its own.
package struct ServiceConsumer: Sendable {
    package var module: String
    package var manifestFile: String
    /// Where its manifest is changed.
    var manifestPlace: String {
        manifestFile.hasSuffix(".so") ? "the manifest that \(manifestFile) carries, and build it anew" : manifestFile
    }
    /// What its manifest requires and provides.
    package var allowed: Set<String>
    /// What it provides, as far as it is asked for it.
    package var provides: Set<String> = []
    /// Where its file reader looks, in this order.
    package var folders: [String]
    /// Where its file reader looks last.
    package var resources: TrustedPath?
    /// Its configuration, checked against its manifest. Without one it has no keys.
    package var configuration: ModuleConfiguration?
    /// Services that it provides, and that somebody else was chosen for.
    package var idle: Set<String> = []
    /// A service that it does not get, although it may ask for it.
    package var withheld: String?
    /// Hears of each service that it asks for and may not have.
    package var onDenial: (@Sendable (_ module: String, ViperError) -> Void)?
}

/// The services of one generation of a module.
package struct ModuleServices: ServiceResolver {
    let consumer: ServiceConsumer
    /// What the generation provides itself.
    let own: ServiceContainer
    /// What the host provides.
    let host: ServiceContainer
    /// What other modules provide, by the services' names: those generations of them that this one was wired with.
    let providers: [String: ServiceContainer]
    /// Why others were not given to it although they are provided, by the services' names.
    var withheld: [String: ViperError] = [:]

    package func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        if key.name == consumer.withheld {
            throw ViperError(.serviceMissing, "cannot give service", key.name, cause: "it is withheld by a test")
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
