package import ModuleCatalog
import ViperKit

/// The code of a contract that this process has loaded.
package struct ContractCode: ModuleCode {
    package let copy: LibraryCopy?

    package init(_ copy: LibraryCopy) { self.copy = copy }

    package var isIsolated: Bool { false }

    package func run(_ manifest: Manifest, _ services: ModuleServices) async -> any RunningModule {
        RunningContract()
    }
}

/// A loaded contract. It does nothing, and it cannot be unloaded.
@MainActor
private final class RunningContract: RunningModule {
    var module: (any Module)? { nil }
    nonisolated var process: Int? { nil }

    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        throw ViperError(
            .routeUnknown, operation: "cannot open route", subject: request.route, cause: "a contract has no routes")
    }

    func checkHealth() async {}
    nonisolated func run() async {}
    func stop() async {}
}
