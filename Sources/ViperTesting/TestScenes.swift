import ModuleCatalog
import ModuleRuntime
import Testing
import ViperKit

/// The source of a test's scenes: the stubs of the test, and the routes of the modules.
///
/// It records an issue for each navigation to a route of another module that `opens` in the manifest does not name.
struct TestScenes: SceneSource, Sendable {
    let router: Router
    /// The stubs, keyed by route. The name of the start route is empty.
    let stubs: [String: StubbedRoute]
    /// The source location of the recorded issues.
    let sourceLocation: SourceLocation

    func open(
        _ route: String, _ parameters: UnvalidatedParameters, navigator: SceneNavigator
    ) async throws(ViperError) -> OpenedScene {
        if let stub = stubs[route] { return try stub.open(route, parameters, navigator: navigator) }
        let opened = try await router.open(route, parameters, navigator: navigator)
        let snapshot = router.registry.snapshot
        if let owner = snapshot.routes[opened.route], let manifest = snapshot.module(from: owner.file)?.manifest {
            navigator.onOpen = { [sourceLocation] address in
                Self.check(address, isOpenedBy: manifest, sourceLocation)
            }
        }
        return opened
    }

    private static func check(_ address: String, isOpenedBy manifest: Manifest, _ sourceLocation: SourceLocation) {
        guard let route = try? RouteAddress(address).route, !manifest.mayOpen(route) else { return }
        Issue.record(
            "the module \"\(manifest.name)\" opens the route \"\(route)\": add it to \"opens\" in its manifest",
            sourceLocation: sourceLocation)
    }
}
