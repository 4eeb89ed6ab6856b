import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// An actor that keeps the registry equal to the root.
///
/// It reads the root after each notice, lets ``Reconciliation`` decide, and performs the steps that follow. Each outcome
/// leads to the next reconciliation.
actor Reconciler {
    /// The libraries that no manifest refers to.
    nonisolated let unreferencedLibraries: Mutex<[String]>
    private let reader: RootReader
    private let activator: Activator
    private let registry: Registry
    private let logger: LineLogger
    private var reconciliation: Reconciliation
    private var queue = StepQueue()
    private var reading = Reading()
    /// The identity of the root's lock at the last reading. Nil if the root had none.
    private var lock: FileIdentity?
    /// The task that wakes this actor at the time of the next step.
    private var alarm: Task<Void, Never>?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The state of reading the root.
    private struct Reading {
        /// The time at which the root must be read. Nil if no file has changed.
        var due: ContinuousClock.Instant?
        var isRunning = false
        /// The error of the last reading, which is logged only once.
        var failure: ViperError?
        var failures = 0
        /// True if the next reading only retries a failed or incomplete one.
        var isRetry = false
    }

    /// Creates an actor that keeps modules equal to a root.
    init(_ reader: RootReader, _ catalog: Catalog, _ modules: HostedModules, logger: LineLogger) {
        (self.reader, self.logger) = (reader, logger)
        (registry, activator) = (modules.registry, modules.activator)
        unreferencedLibraries = Mutex(catalog.unreferencedLibraries)
        registry.disabled = catalog.disabled
        reconciliation = Reconciliation(
            desired: [:], outcomes: [:], now: .now, isIsolated: { modules.activator.codes.isIsolated($0) },
            fault: modules.fault)
        reconciliation.configured = modules.configured
        lock = reader.loader.lock
    }

    /// Notes that files in the root may have changed.
    func notice() {
        if queue.isOver { return }
        (reading.due, reading.isRetry, reading.failures) = (.now, false, 0)
        proceed()
    }

    /// Asks for another generation of a module, although its files have not changed.
    nonisolated func reload(_ file: String) { reader.requests.reload(file) }

    /// Tries the refused modules and the rejected versions again, although their files have not changed.
    func retry() {
        forgetFailures()
        notice()
    }

    private func forgetFailures() {
        for (file, outcomes) in reconciliation.outcomes {
            // Only the generations that wait for other modules are still needed.
            reconciliation.outcomes[file] = outcomes.filter { $0.generation != nil }
        }
        let settled = reconciliation.settled(in: registry.snapshot)
        registry.write { draft in draft.retryFaults(at: .now, except: settled) }
    }

    /// Starts the work of the modules that run, now and whenever modules change.
    ///
    /// - Parameter runs: The modules, by what their manifests say.
    func startRuns(_ runs: Set<Manifest.Runs>) {
        if queue.isOver { return }
        reconciliation.runs = runs
        reconcileSoon()
    }

    /// Waits until no step is running or due.
    func idle() async { if isBusy { await withCheckedContinuation { waiting.append($0) } } }

    /// Reads the root and waits until all changes are applied or refused. Failures outside the modules are retried later.
    func settle() async {
        notice()
        if queue.isOver { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Stops applying changes. Returns when the running steps have ended.
    func end() async {
        queue.isOver = true
        alarm?.cancel()
        (reading.due, alarm) = (nil, nil)
        queue.set([:])
        reconciliation.outcomes.values.joined().forEach { $0.generation?.retire() }
        reconciliation.outcomes = [:]
        if !isBusy { resumeWaiting() }
        await idle()
    }

    private var isBusy: Bool {
        // A file that is missing only briefly counts as a change, a retry of a failed reading does not.
        let isReading = reading.isRunning || (reading.due != nil && !reading.isRetry)
        return isReading || queue.isBusy(at: .now)
    }

    private func resumeWaiting() {
        waiting.forEach { $0.resume() }
        waiting = []
    }

    /// Starts what is due, and sets the alarm for what is due later.
    private func proceed() { RequestID.outlived { startDue() } }

    private func startDue() {
        let now = ContinuousClock.now
        if !queue.isOver {
            if let due = reading.due, due <= now, !reading.isRunning {
                (reading.due, reading.isRunning) = (nil, true)
                Task { await read() }
            }
            for (file, step) in queue.start(at: now) {
                Task { [activator, lock] in end(step, of: file, under: lock, await activator.perform(step)) }
            }
            alarm?.cancel()
            alarm = [reading.isRunning ? nil : reading.due, queue.next(after: now)].compactMap { $0 }.min().map { due in
                Task {
                    guard (try? await Task.sleep(until: due)) != nil else { return }
                    proceed()
                }
            }
        }
        if !isBusy { resumeWaiting() }
    }

    private func read() async {
        let snapshot = registry.snapshot
        do {
            let content = try await BlockingWork.run { [reader] () throws(ViperError) in
                try reader.read(knowing: snapshot)
            }
            reading.failure = nil
            // Another lock may allow the libraries that were refused.
            if content.lock != lock { forgetFailures() }
            lock = content.lock
            note(content)
            // Another process is still writing a library, or the system is short of resources.
            let isComplete = content.modules.values.allSatisfy { $0.failure?.isModuleFault ?? true }
            if isComplete { reading.failures = 0 } else { readLater() }
        } catch {
            if error != reading.failure { logger.log(.warning, error.summary) }
            reading.failure = error
            readLater()
        }
        reading.isRunning = false
        reconcileSoon()
    }

    private func readLater() {
        reading.failures += 1
        if reading.due == nil { reading.isRetry = true }
        let due = ContinuousClock.now + Backoff.pause(after: reading.failures)
        reading.due = min(reading.due ?? due, due)
    }

    private func note(_ content: RootReader.Content) {
        unreferencedLibraries.withLock { $0 = content.unreferencedLibraries }
        registry.disabled = content.disabled
        let known = Set(reconciliation.desired.keys).union(registry.snapshot.modules.map(\.file))
        let now = ContinuousClock.now
        for file in known where content.modules[file] == nil {
            if case .absent = reconciliation.desired[file] { continue }
            reconciliation.desired[file] = .absent(since: now)
        }
        for (file, files) in content.modules {
            if files.lacksLibrary, registry.snapshot.module(from: file)?.state.isUsable == true {
                var since = now
                if case .incomplete(let earlier) = reconciliation.desired[file] { since = earlier }
                if now < since + Reconciliation.settlingTime {
                    reconciliation.desired[file] = .incomplete(since: since)
                    continue
                }
            }
            reconciliation.desired[file] = .present(files)
        }
    }

    private func end(_ step: Step, of file: String, under lock: FileIdentity?, _ outcome: Outcome?) {
        queue.end(file)
        if queue.isOver {
            outcome?.generation?.retire()
            return proceed()
        }
        // A failure under an earlier lock says nothing about the present one, so the step is repeated.
        if let outcome, outcome.failure == nil || lock == self.lock {
            let others = reconciliation.outcomes[file, default: []]
            reconciliation.outcomes[file] = others.filter { $0.files != outcome.files } + [outcome]
            others.filter { $0.files == outcome.files }.forEach { $0.generation?.retire() }
        }
        reconcileSoon()
    }

    /// Starts a reconciliation that takes into account all outcomes that have arrived by then.
    private func reconcileSoon() {
        let isFirst = !queue.isReconciling
        queue.isReconciling = true
        // Starts the next steps before the reconciliation, which may take long in a root with many modules.
        proceed()
        if isFirst { RequestID.outlived { _ = Task { reconcile() } } }
    }

    private func reconcile() {
        queue.isReconciling = false
        if queue.isOver { return proceed() }
        reconciliation.now = .now
        let before = registry.snapshot
        let next = registry.write { [reconciliation] draft in reconciliation.apply(to: &draft) }
        reconciliation.outcomes = next.outcomes
        for (file, desired) in reconciliation.desired {
            if case .absent = desired, registry.snapshot.module(from: file)?.files.isWithdrawn ?? true {
                reconciliation.desired[file] = nil
            }
        }
        queue.set(next.steps.filter { !queue.runs($0.value, of: $0.key) })
        if let due = next.reading { (reading.due, reading.isRetry) = (min(reading.due ?? due, due), false) }
        next.unused.forEach { $0.retire() }
        for generation in next.running {
            generation.start { [logger, registry, weak generation] state in
                guard let generation else { return }
                logger.log(state, of: generation.label)
                registry.noteRun(of: generation)
            }
        }
        for history in next.removed {
            // Scenes may stay open for a long time.
            Task {
                await history.stopped()
                reconcileSoon()
            }
        }
        // Modules may depend on those that have just changed.
        if registry.snapshot !== before { reconcileSoon() } else { proceed() }
    }
}
