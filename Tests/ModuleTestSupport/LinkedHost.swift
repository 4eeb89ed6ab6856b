import HostDriver
import ModuleCatalog
package import ModuleRuntime
package import ViperKit

/// Returns a host for modules of the test.
///
/// - Parameters:
///   - modules: The type and the manifest's text of each module. The manifest files are named `0.json`, `1.json`, and
///     so on.
///   - services: The services of the host.
///   - guards: The patterns of the routes that each module guards.
package func linkedHost(
    _ modules: [(type: any Module.Type, manifest: String)],
    services: ServiceContainer = ServiceContainer(timeLimit: Patience.limit), guards: [String: [String]] = [:]
) throws -> HostedModules {
    let folder = try ScratchFolder()
    // `CatalogEntry` reads each manifest here, before the folder is removed.
    let linked = try modules.enumerated().map { index, module in
        let file = try folder.write(module.manifest, to: "\(index).json")
        return (catalog: CatalogEntry(manifestPath: file), file: file, type: module.type)
    }
    return HostedModules(
        linked.map(\.catalog), linkedTo: Dictionary(uniqueKeysWithValues: linked.map { ($0.file, $0.type) }),
        services: services, guards: guards)
}

extension HostedModules {
    /// Opens a route in a new window, and returns the window when its screen is settled.
    @MainActor
    package func opened(
        _ route: String, texts: [String: String] = [:], for identity: String = ""
    ) async throws(ViperError) -> Window {
        let window = Window(source: router, outside: nil, identity: identity)
        try await window.open(route, texts: texts.mapValues { [$0] })
        return window
    }
}
