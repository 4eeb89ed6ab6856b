import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// An instance of a module, together with its manifest, its code and its services.
///
/// A generation is immutable. A newer version of the module, or another provider of a service, results in a new
/// generation. Open scenes keep using their generation, which stops after its last use has ended.
package final class Generation: Sendable {
    /// The generation's number. The first generation of a module is number 1.
    package let number: Int
    let manifest: Manifest
    let files: ModuleFiles
    package let code: any ModuleCode
    /// The services that the module registered.
    package let services: ServiceContainer
    /// The generations that provide services to this generation, keyed by service name. This generation counts as a use
    /// of each provider's generation.
    let providers: [String: Generation]
    /// The identities of the providers. They are used to detect that a provider was replaced.
    let wiring: Wiring
    /// Follow the providers of the services that this generation collects.
    private let collectors: [Collector]
    let history: ModuleHistory
    /// The module's resources. Nil if it has none.
    let resources: ModuleResources?
    /// The number of generations before this one that were created because providers changed, since the module's files
    /// were last replaced.
    let rewirings: Int
    let uses = Uses()
    /// The module's work that needs no screen.
    package let run = ModuleRun()
    private let running: any RunningModule
    private let retirement = Mutex(false)
    /// Set when the generation has stopped.
    private let hasStopped = OneShot<Void>()

    init(
        _ history: ModuleHistory, of manifest: Manifest, _ code: any ModuleCode, _ running: any RunningModule,
        services: ServiceContainer, providers: [String: Generation], wiring: Wiring, files: ModuleFiles,
        rewirings: Int = 0, collectors: [Collector] = [], resources: ModuleResources? = nil
    ) {
        number = history.begin()
        (self.history, self.manifest, self.code, self.running) = (history, manifest, code, running)
        (self.services, self.providers, self.wiring) = (services, providers, wiring)
        (self.files, self.rewirings, self.collectors) = (files, rewirings, collectors)
        self.resources = resources
    }

    var calls: CallCount { history.calls }

    /// The module instance, which tests and checks inspect. Nil if the module runs in a worker.
    @MainActor package var module: (any Module)? { running.module }

    /// The process ID of the module's worker. Nil if no worker is running.
    package var process: Int? { running.process }

    /// Opens a scene. The caller must already have begun a use of this generation.
    @MainActor
    package func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        try await running.content(for: request)
    }

    @MainActor
    func checkHealth() async throws(ViperError) { try await running.checkHealth() }

    /// The module's name and version, for log lines.
    package var label: String { "\(manifest.name) \(manifest.version)" }

    /// Starts the module's work that needs no screen, unless it was started before or the generation is retired. The
    /// work of earlier generations ends first.
    ///
    /// - Parameter note: A closure that receives each new state of the work.
    package func start(note: @escaping @Sendable (ModuleRun.State) -> Void) {
        run.start(after: history.draining.map(\.run), note: note) { [running] () async throws(ViperError) in
            try await running.run()
        }
    }

    /// Calls the module's `run()` once.
    package func runOnce() async throws(ViperError) {
        let result = await withTaskExecutorPreference(RunExecutor()) { [running] () async -> Result<Void, ViperError> in
            do throws(ViperError) { return .success(try await running.run()) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Starts to stop a generation that is not in the registry, or no longer: cancels the module's work, waits until the
    /// last use and the work have ended, stops the module, and ends its use of the providers.
    package func retire() {
        let isFirst = retirement.withLock { isRetired in
            defer { isRetired = true }
            return !isRetired
        }
        if !isFirst { return }
        history.retire(self)
        run.cancel()
        Task {
            // The work may use what it collects until it has ended.
            await run.end()
            for collector in collectors { await collector.retire() }
            await uses.drain()
            await running.stop()
            for collector in collectors { await collector.end() }
            Self.end(providers)
            history.end(self)
            hasStopped.set()
        }
    }

    var isRetired: Bool { retirement.withLock { $0 } }

    /// Waits until a retired generation has stopped.
    func stopped() async { if isRetired { await hasStopped.value() } }

    /// Ends one use of each provider.
    static func end(_ providers: [String: Generation]) { providers.values.forEach { $0.uses.end() } }
}

/// A module's code, in this process or in a worker.
package protocol ModuleCode: Sendable {
    /// The copy of the module's library. Nil if the code is linked into this process.
    var copy: LibraryCopy? { get }
    var isIsolated: Bool { get }
    /// Returns the differences between the manifest and the routes, services and parameters in the code. Each
    /// difference is one sentence. Returns none if the module runs in a worker.
    @MainActor func differences(from manifest: Manifest) -> [String]
    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule
}

extension ModuleCode {
    package func differences(from manifest: Manifest) -> [String] { [] }

    /// The path of the library copy that this process has loaded. Nil if the module runs in a worker or is linked into
    /// this process. The loaded copy stays in memory after the module is replaced.
    package var image: String? { isIsolated ? nil : copy?.path }
}

/// An instance of a module, in this process or in a worker.
@MainActor
package protocol RunningModule: AnyObject, Sendable {
    var module: (any Module)? { get }
    nonisolated var process: Int? { get }
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent
    func checkHealth() async throws(ViperError)
    /// Calls the module's `run()`, outside the main actor.
    nonisolated func run() async throws(ViperError)
    /// Stops the module. This method is called once, after the last use and `run()` have ended.
    func stop() async
}
