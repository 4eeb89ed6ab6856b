import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// Code that runs in processes of its own.
final class IsolatedCode: ModuleCode {
    /// Starts a worker and makes the module in it.
    let start: @Sendable () async throws(ViperError) -> Worker
    /// Hears that a worker has crashed so often that no other is started, and says why from then on.
    let giveUp: @Sendable (WorkerProcess.End, _ excess: String) async -> ViperError
    /// Hears of each end that nobody wanted.
    let crashed: @Sendable (WorkerProcess.End) -> Void
    let copy: LibraryCopy?

    init(
        _ copy: LibraryCopy, start: @escaping @Sendable () async throws(ViperError) -> Worker,
        giveUp: @escaping @Sendable (WorkerProcess.End, _ excess: String) async -> ViperError,
        crashed: @escaping @Sendable (WorkerProcess.End) -> Void
    ) {
        (self.copy, self.start, self.giveUp, self.crashed) = (copy, start, giveUp, crashed)
    }

    var isIsolated: Bool { true }

    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule {
        await IsolatedModule(self, worker: try await start())
    }
}

/// A module in a worker. When that ends, another one is started for the next that asks, after a while if it ends often.
@MainActor
final class IsolatedModule: RunningModule {
    private let code: IsolatedCode
    private var worker: Worker? {
        didSet { number.withLock { $0 = worker?.number } }
    }
    // Read while the main actor is busy, too.
    nonisolated private let number = Mutex<Int?>(nil)
    // Notes the worker's end, once that has come.
    private var watch: Task<Void, Never>?
    private var starting: Task<Result<Worker, ViperError>, Never>?
    private var policy = RestartPolicy()
    private var nextStart = ContinuousClock.now
    /// Why none is started any more.
    private var failure: ViperError?
    private var isStopped = false

    init(_ code: IsolatedCode, worker: Worker) {
        self.code = code
        take(worker)
    }

    var module: (any Module)? { nil }
    nonisolated var process: Int? { number.withLock { $0 } }

    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        try await living().content(for: request)
    }

    func checkHealth() async throws(ViperError) { try await living().check(.health) }

    func stop() async {
        isStopped = true
        if case .success(let worker) = await starting?.value { await worker.stop() }
        await worker?.stop()
    }

    /// The worker, or a new one.
    private func living() async throws(ViperError) -> Worker {
        while let worker {
            if !worker.hasEnded { return worker }
            await watch?.value
        }
        if let failure { throw failure }
        if isStopped { throw ViperError(.moduleRetired, "cannot use", "a module", cause: "it has ended") }
        if let starting { return try await starting.value.get() }
        let task = Task { await started() }
        starting = task
        let result = await task.value
        starting = nil
        return try result.get()
    }

    private func started() async -> Result<Worker, ViperError> {
        // Nobody cancels this task, so it waits.
        try? await Task.sleep(until: nextStart)
        do {
            let worker = try await code.start()
            take(worker)
            return .success(worker)
        } catch {
            // What is quarantined is not started again and again.
            if error.code == .libraryQuarantined { failure = error }
            return .failure(error)
        }
    }

    private func take(_ worker: Worker) {
        self.worker = worker
        watch = Task {
            let end = await worker.end()
            if !isStopped { await note(end) }
            if self.worker === worker { self.worker = nil }
        }
    }

    private func note(_ end: WorkerProcess.End) async {
        let now = ContinuousClock.now
        code.crashed(end)
        switch policy.crashed(at: now) {
        case .start(let delay): nextStart = now + delay
        case .giveUp: failure = await code.giveUp(end, policy.excess)
        }
    }
}
