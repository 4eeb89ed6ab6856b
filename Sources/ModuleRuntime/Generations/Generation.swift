package import ModuleCatalog
package import ViperKit

/// An instance of a module with its manifest, its code and its services.
///
/// A generation never changes. A newer version of the module, or another provider of a service, leads to a new
/// generation. Open scenes keep their generation, which stops when its last use has ended.
package final class Generation: Sendable {
    /// The generation's number. The first generation of a module has number 1.
    package let number: Int
    let manifest: Manifest
    package let code: any ModuleCode
    /// The services that the module registered.
    package let services: ServiceContainer
    /// The generations that provide services to this one, by service name. Each counts this generation as a use.
    let providers: [String: Generation]
    /// The identity of the providers. It changes when a provider is replaced.
    let wiring: Wiring
    let history: ModuleHistory
    let uses = Uses()
    private let running: any RunningModule

    init(
        _ history: ModuleHistory, of manifest: Manifest, _ code: any ModuleCode, _ running: any RunningModule,
        services: ServiceContainer, providers: [String: Generation], wiring: Wiring
    ) {
        number = history.begin()
        (self.history, self.manifest, self.code, self.running) = (history, manifest, code, running)
        (self.services, self.providers, self.wiring) = (services, providers, wiring)
    }

    var calls: CallCount { history.calls }

    /// The module, for tests. Nil if it runs in a worker.
    @MainActor package var module: (any Module)? { running.module }

    /// The process id of the module's worker, if one is running.
    package var process: Int? { running.process }

    /// Opens a scene. The caller must have begun a use.
    @MainActor
    package func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        try await running.content(for: request)
    }

    @MainActor
    func checkHealth() async throws(ViperError) { try await running.checkHealth() }

    /// Waits for the last use, stops the module, and ends its use of the providers. Remove the generation from the
    /// registry first.
    func stop() async {
        await uses.drain()
        await running.stop()
        Self.end(providers)
    }

    /// Ends one use of each provider.
    static func end(_ providers: [String: Generation]) { providers.values.forEach { $0.uses.end() } }
}

/// A module's code, in this process or in a worker.
package protocol ModuleCode: Sendable {
    /// The copy of the library. Nil if the code is linked into this process.
    var copy: LibraryCopy? { get }
    var isIsolated: Bool { get }
    /// The parameters that the module's argument types read. Empty if the module runs in a worker.
    @MainActor var signatures: [RouteSignature] { get }
    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule
}

extension ModuleCode {
    package var signatures: [RouteSignature] { [] }

    /// The path of the library copy that this process has loaded. A replaced module's copy stays in memory. Nil if the
    /// module runs in a worker or is linked into this process.
    package var image: String? { isIsolated ? nil : copy?.path }
}

/// An instance of a module, in this process or in a worker.
@MainActor
package protocol RunningModule: AnyObject, Sendable {
    var module: (any Module)? { get }
    nonisolated var process: Int? { get }
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent
    func checkHealth() async throws(ViperError)
    /// Stops the module. Called once, after the last use.
    func stop() async
}
