import HostSystem
import Synchronization
package import ViperKit

/// The work of a generation that needs no screen. It calls the module's `run()`, and calls it again after a pause if it
/// throws.
package final class ModuleRun: Sendable {
    /// The state of the work, once it was started.
    package enum State: Sendable, Equatable {
        case running
        /// `run()` threw an error. It is called again after a pause.
        case restarting(ViperError, pause: Duration)
        /// `run()` returned.
        case finished
        /// `run()` threw too many errors in a row, so it is not called again.
        case failed(ViperError)
    }

    private struct Storage {
        var state: State?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// The number of consecutive failures after which `run()` is not called again.
    package static let limit = 5
    /// A failure after a longer time begins a new series of failures.
    private static let window = Duration.seconds(60)
    /// The maximum time to wait until the work of an earlier generation has ended.
    private static let handover = Duration.seconds(10)

    private let clock: any Clock<Duration>
    private let storage = Mutex(Storage())
    private let ended = OneShot<Void>()

    init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Nil if the work was not started.
    package var state: State? { storage.withLock { $0.state } }

    /// True if the work was started and has not ended, although it may have been cancelled.
    package var isActive: Bool { storage.withLock { $0.task != nil } && !ended.isSet }

    /// Starts the work in a task of its own. Does nothing if it was started or cancelled before.
    ///
    /// - Parameters:
    ///   - earlier: The work of earlier generations. This work starts when they have ended, or after a limit.
    ///   - note: A closure that receives each new state.
    ///   - run: A closure that calls `run()`.
    func start(
        after earlier: [ModuleRun], note: @escaping @Sendable (State) -> Void,
        _ run: @escaping @Sendable () async throws(ViperError) -> Void
    ) {
        let isStarted = storage.withLock { storage in
            if storage.task != nil || storage.isCancelled { return false }
            storage.state = .running
            // A module that blocks its thread must not take one of the few threads of the cooperative pool.
            storage.task = RequestID.outlived {
                Task(executorPreference: RunExecutor()) { [self] in
                    await Self.wait(for: earlier)
                    await repeated(run, note)
                    ended.set()
                }
            }
            return true
        }
        if isStarted { note(.running) }
    }

    /// Cancels the work. It can not start afterwards.
    func cancel() {
        let task = storage.withLock { storage in
            storage.isCancelled = true
            return storage.task
        }
        if let task { task.cancel() } else { ended.set() }
    }

    /// Waits until cancelled work has ended.
    func end() async { await ended.value() }

    private static func wait(for earlier: [ModuleRun]) async {
        if earlier.allSatisfy(\.ended.isSet) { return }
        try? await withTimeLimit(handover, "cannot run", "module") {
            for work in earlier { await work.ended.value() }
        }
    }

    private func repeated(
        _ run: @Sendable () async throws(ViperError) -> Void, _ note: @Sendable (State) -> Void
    ) async {
        var failures = 0
        while !Task.isCancelled {
            set(.running, note)
            var result = Result<Void, ViperError>.success(())
            let time = await clock.measure {
                do throws(ViperError) { try await run() } catch { result = .failure(error) }
            }
            if Task.isCancelled { return }
            let state: State
            switch result {
            case .success: state = .finished
            case .failure(let error):
                failures = time > Self.window ? 1 : failures + 1
                // A shortage of resources, for example, says nothing about the module.
                let isFinal = failures >= Self.limit && error.isModuleFault
                state = isFinal ? .failed(error) : .restarting(error, pause: Backoff.pause(after: failures))
            }
            set(state, note)
            guard case .restarting(_, let pause) = state else { return }
            try? await clock.sleep(for: pause)
        }
    }

    private func set(_ state: State, _ note: @Sendable (State) -> Void) {
        let isNew = storage.withLock { storage in
            defer { storage.state = state }
            return storage.state != state
        }
        if isNew { note(state) }
    }
}

extension ModuleRun.State {
    /// The state in one word.
    package var name: String {
        switch self {
        case .running: "running"
        case .restarting: "restarting"
        case .finished: "finished"
        case .failed: "failed"
        }
    }

    /// The error of the last call of `run()`, if that threw.
    package var error: ViperError? {
        switch self {
        case .running, .finished: nil
        case .restarting(let error, _), .failed(let error): error
        }
    }
}
