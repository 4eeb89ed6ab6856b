package import ModuleCatalog
package import ViperKit

/// One made instance of a module, with its manifest, its code and the services that it was given.
///
/// It never changes. A newer version of the module, or another provider of a service, is a newer generation; scenes that are open
/// stay with the one that they were opened in, which stops when the last of them has closed.
package final class Generation: Sendable {
    /// How many there were of the module before it, and one.
    package let number: Int
    let manifest: Manifest
    package let code: any ModuleCode
    /// What the module registered, for those that are wired with this generation.
    package let services: ServiceContainer
    /// The generations of other modules whose services this one was given, by the services' names. A use of each has begun.
    let providers: [String: Generation]
    /// Tells whether they still answer.
    let wiring: Wiring
    /// What is counted of the module over all generations.
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

    /// The module, when it is in this process; for tests that look at what it holds.
    @MainActor package var module: (any Module)? { running.module }

    /// The number of the process that it runs in, where that is another one and there is one.
    package var process: Int? { running.process }

    /// Opens a scene. Whoever does has begun a use before.
    @MainActor
    package func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        try await running.content(for: request)
    }

    /// Asks the module whether it can do its work.
    ///
    /// - Throws: ``ViperError/Code/moduleFailed`` with what it threw, or that it took too long.
    @MainActor
    func checkHealth() async throws(ViperError) { try await running.checkHealth() }

    /// Ends the module after its last use. For whoever has taken it out of the registry.
    func stop() async {
        await uses.drain()
        await running.stop()
        Self.end(providers)
    }

    /// Ends the uses of generations that others were wired with.
    static func end(_ providers: [String: Generation]) { providers.values.forEach { $0.uses.end() } }
}

/// Where a module's code is.
package protocol ModuleCode: Sendable {
    /// What it came from; nil where it is linked into this process.
    var copy: LibraryCopy? { get }
    /// Whether it runs in a process of its own.
    var isIsolated: Bool { get }
    /// Makes the module.
    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule
}

extension ModuleCode {
    /// Where the image lies that is in this process for good, if there is one.
    package var image: String? { isIsolated ? nil : copy?.path }
}

/// What runs a module's code: this process, or a worker.
@MainActor
package protocol RunningModule: AnyObject, Sendable {
    /// The module, when it is in this process.
    var module: (any Module)? { get }
    /// The number of the module's process, when it has one of its own now.
    nonisolated var process: Int? { get }
    /// Opens a scene of the module.
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent
    /// Asks the module whether it can do its work.
    func checkHealth() async throws(ViperError)
    /// Ends the module. Called once, when nothing uses it any more.
    func stop() async
}
