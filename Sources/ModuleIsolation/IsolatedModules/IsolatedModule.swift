import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// Module code that runs in worker processes.
final class IsolatedCode: ModuleCode {
    let start: @Sendable () async throws(ViperError) -> Worker
    /// A closure that is called when the worker has crashed too often to be restarted. It returns the error that all
    /// later calls throw.
    let giveUp: @Sendable (WorkerProcess.End, _ excess: String) async -> ViperError
    /// A closure that is called after each unexpected exit of a worker.
    let ended: @Sendable (WorkerProcess.End) -> Void
    let copy: LibraryCopy?

    init(
        _ copy: LibraryCopy, start: @escaping @Sendable () async throws(ViperError) -> Worker,
        giveUp: @escaping @Sendable (WorkerProcess.End, _ excess: String) async -> ViperError,
        ended: @escaping @Sendable (WorkerProcess.End) -> Void
    ) {
        (self.copy, self.start, self.giveUp, self.ended) = (copy, start, giveUp, ended)
    }

    var isIsolated: Bool { true }

    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule {
        await IsolatedModule(self, worker: try await start())
    }
}

/// A module that runs in a worker. After the worker has ended, the next call starts a new one, with a delay if workers
/// end frequently. Too many crashes prevent a restart. A worker that is ending after a signal is replaced at once.
@MainActor
final class IsolatedModule: RunningModule {
    private let code: IsolatedCode
    private let name: String
    private var worker: Worker? {
        didSet { number.withLock { $0 = worker?.number } }
    }
    // The worker's process ID. Any thread may read it, even while the main actor is busy.
    nonisolated private let number = Mutex<Int?>(nil)
    // The task that waits for the worker's exit and records it.
    private var watch: Task<Void, Never>?
    private var starting: Task<Result<Worker, ViperError>, Never>?
    private var policy = RestartPolicy()
    private var nextStart = ContinuousClock.now
    /// The error that prevents new workers from being started. Nil while a worker can be started.
    private var failure: ViperError?
    private var isStopped = false

    init(_ code: IsolatedCode, worker: Worker) {
        (self.code, name) = (code, worker.module)
        take(worker)
    }

    var module: (any Module)? { nil }
    nonisolated var process: Int? { number.withLock { $0 } }

    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        let worker = try await living()
        do { return try await worker.content(for: request) } catch {
            // The worker has refused the call, so the next worker can take it.
            guard error.code == .workerKilled, worker.isEnding else { throw error }
        }
        return try await living().content(for: request)
    }

    func checkHealth() async throws(ViperError) { try await living().check(.health) }

    nonisolated func run() async throws(ViperError) {
        while true {
            do throws(ViperError) { return try await living().run() } catch {
                // The policy delays the next worker, and refuses the module after too many crashes.
                let isLost = error.code == .workerCrashed || error.code == .workerKilled
                if !isLost || Task.isCancelled { throw error }
            }
        }
    }

    func stop() async {
        isStopped = true
        if case .success(let worker) = await starting?.value { await worker.stop() }
        await worker?.stop()
    }

    /// Returns the running worker, or starts a new one.
    private func living() async throws(ViperError) -> Worker {
        while let worker {
            if worker.isEnding {
                // It ends by itself after its running calls.
                self.worker = nil
                break
            }
            if !worker.hasEnded { return worker }
            await watch?.value
        }
        if let failure { throw failure }
        if isStopped {
            throw ViperError(.moduleRetired, operation: "cannot use module", subject: name, cause: "it is retired")
        }
        if let starting { return try await starting.value.get() }
        let task = Task { await started() }
        starting = task
        let result = await task.value
        starting = nil
        return try result.get()
    }

    private func started() async -> Result<Worker, ViperError> {
        // This task is never cancelled, so the sleep takes its full time.
        try? await Task.sleep(until: nextStart)
        do {
            let worker = try await code.start()
            take(worker)
            return .success(worker)
        } catch {
            // A quarantined library must not be started again.
            if error.code == .libraryQuarantined { failure = error }
            if error.code == .workerKilled { delayStart(after: policy.ended(at: .now, isFault: false)) }
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
        code.ended(end)
        let decision = policy.ended(at: .now, isFault: end.isFault)
        delayStart(after: decision)
        if decision == .giveUp { failure = await code.giveUp(end, policy.excess) }
    }

    private func delayStart(after decision: RestartPolicy.Decision) {
        if case .start(let delay) = decision { nextStart = .now + delay }
    }
}
