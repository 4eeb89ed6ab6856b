package import ModuleCatalog
package import ViperKit

/// A module that requests services, together with the services and files that it may use.
package struct ServiceConsumer: Sendable {
    package var module: String
    var manifestFile: String
    /// The location of the manifest, worded for a recovery suggestion.
    var manifestPlace: String {
        manifestFile.hasSuffix(".so") ? "the manifest that \(manifestFile) carries, and rebuild it" : manifestFile
    }
    /// The services that the module may use. The manifest lists them in `requires`, `optional` or `provides`.
    var allowed: Set<String>
    /// The services that the module declares in `provides`.
    var offers: Set<String> = []
    /// The services for which the module is the selected provider.
    var provides: Set<String> = []
    /// The services for which the settings select a module. The host's own service does not stand in for them.
    var elsewhere: Set<String> = []
    /// The folders that the module's file reader searches, in this order.
    package var folders: [String]
    /// The resources that the module's file reader searches last.
    package var resources: ModuleResources?
    /// The configuration, already checked against the manifest. If nil, the module has no configuration keys.
    package var configuration: Configuration?
    /// A service to withhold from the module even though the manifest lists it. Only tests and checks set this
    /// property.
    package var withheld: String?
    /// A closure that is called when the module requests a service that it may not use.
    package var onDenial: (@Sendable (ViperError) -> Void)?
    /// A closure that receives the error for a provider that is left out of a collected service.
    package var onOmission: (@Sendable (ViperError) -> Void)?
}
