package import ModuleCatalog
package import ViperKit

extension ServiceConsumer {
    /// Creates a consumer from a module's manifest.
    ///
    /// - Parameters:
    ///   - file: The path of the manifest file.
    ///   - wiring: The providers that the host and its settings select.
    ///   - resources: The module's resources.
    /// - Throws: ``ViperError/Code/settingInvalid`` if the settings do not match the manifest.
    package init(
        _ manifest: Manifest, in file: String, wiring: ServiceWiring, settings: Settings, resources: ModuleResources?
    ) throws(ViperError) {
        self.init(
            module: manifest.name, manifestFile: file,
            allowed: Set(manifest.requires + manifest.optional + manifest.provides),
            offers: Set(manifest.provides),
            provides: Set(manifest.provides.filter { wiring.uses(manifest.name, for: $0) }),
            elsewhere: Set(
                (manifest.requires + manifest.optional).filter { wiring.choosesModule(for: $0, of: manifest.name) }),
            folders: settings.dataFolders, resources: resources,
            configuration: try manifest.configuration(under: settings))
    }
}
