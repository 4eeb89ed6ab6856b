import HostDriver
import ModuleCatalog
package import ModuleRuntime
package import ViperKit

/// Returns a host for modules of the test, each with the text of its manifest. The files are `0.json`, `1.json` and so
/// on.
package func linkedHost(
    _ modules: [(entry: ModuleEntry, manifest: String)], services: ServiceContainer = ServiceContainer()
) throws -> LinkedModules {
    let folder = try ScratchFolder()
    // Each manifest is read before the folder goes.
    let linked = try modules.enumerated().map { index, module in
        let file = try folder.write(module.manifest, to: "\(index).json")
        return (catalog: CatalogEntry(manifestPath: file), file: file, entry: module.entry)
    }
    return LinkedModules(
        linked.map(\.catalog), linkedTo: Dictionary(uniqueKeysWithValues: linked.map { ($0.file, $0.entry) }),
        services: services)
}

extension LinkedModules {
    /// Returns a window that shows this route, with a settled screen.
    @MainActor
    package func opened(_ route: String, texts: [String: String] = [:]) async throws(ViperError) -> Window {
        let window = Window(router: router)
        try await window.open(route, texts: texts.mapValues { [$0] })
        return window
    }
}
