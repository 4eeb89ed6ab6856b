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
    /// The services for which the module is the selected provider.
    var provides: Set<String> = []
    /// The folders that the module's file reader searches, in this order.
    package var folders: [String]
    /// The folder that the module's file reader searches last.
    package var resources: TrustedPath?
    /// The configuration, already checked against the manifest. If nil, the module has no configuration keys.
    package var configuration: ModuleConfiguration?
    /// The services that the module provides, but for which another provider is selected.
    var unselectedServices: Set<String> = []
    /// An allowed service that the module does not get, for tests.
    package var withheld: String?
    /// Called when the module asks for a service that it may not use.
    package var onDenial: (@Sendable (_ module: String, ViperError) -> Void)?
}
