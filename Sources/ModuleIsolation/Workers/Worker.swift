import Dispatch
import Glibc
import HostSystem
import JSONRPC
import ModuleRuntime
import Synchronization
import ViperKit

/// A worker process. It runs a host that serves one module's scenes to this host. The worker also contains the
/// providers that the module needs.
///
/// This class does not restart the worker or count crashes. Its owner must wait for ``end()`` and decide what to do.
package final class Worker: Sendable {
    let module: String
    /// The folder that the worker uses, which exists as long as this object.
    private let root: WorkerRoot?
    private let process: WorkerProcess
    var number: Int { Int(process.process) }
    private let peer: Peer
    private let scenes: RemoteScenes
    private let limits: WorkerLimits
    private let environment: WorkerEnvironment
    private let isStopping = Atomic(false)
    private let hasRefusedCalls = Atomic(false)
    /// True if the worker has received a signal from outside. It finishes its running calls, and refuses all others.
    var isEnding: Bool { hasRefusedCalls.load(ordering: .relaxed) }
    private let lastStep = Mutex("start")
    /// The last step that the worker announced, or that this process asked for.
    var step: String {
        get { lastStep.withLock { $0 } }
        set { lastStep.withLock { $0 = newValue } }
    }
    private let queue = DispatchQueue(label: "worker limits")

    /// The maximum length of a message from a worker, in bytes. A screen with a million rows fits.
    private static let longestMessage = 64 << 20
    /// Generous limits for the worker, because all clients of this host share it. This host enforces the limits for
    /// each client, and cancels the worker's calls with its own.
    private static let sharedLimits = [
        "scenes=1000000", "calls=1000000", "message=\(1 << 30)", "pending=\(longestMessage)", "time=86400",
    ]
    .flatMap { ["--limit", $0] }
    /// The time limit for a ping and for an expected exit. A ping needs only the worker's main actor.
    private static let timeout = Duration.seconds(2)
    /// The time limit for the exit of a worker that has closed its connection. It is longer than the time in which a
    /// worker exits that received SIGTERM, so that such a worker does not count as faulty.
    private static let exitTimeout = Duration.seconds(6)

    /// Starts a worker that serves a root, and waits until it responds.
    ///
    /// - Parameters:
    ///   - program: The host program to run.
    ///   - supervisor: The supervisor's program. Defaults to `program`.
    ///   - environment: The environment variables that the worker inherits.
    ///   - registry: The registry that the worker may read. Nil if its modules do not require `registry`.
    ///   - line: A closure that receives each line of the worker's standard error.
    /// - Throws: ``ViperError/Code/programFailed`` if the worker cannot be started, or if it exits before it responds.
    static func start(
        _ module: String, in root: WorkerRoot, limits: WorkerLimits, program: String = "/proc/self/exe",
        supervisor: String? = nil, arguments: [String] = [], environment: WorkerEnvironment = WorkerEnvironment(),
        registry: RegistryReader? = nil,
        line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Worker {
        return try await start(
            module, program,
            ["serve", "--stdio", "--as-is", "--root", root.path] + root.trust.options + Self.sharedLimits + arguments,
            supervisor: supervisor, environment: environment, temporaryFolder: root.temporaryFolder, root: root,
            limits: limits, registry: registry, line: line)
    }

    /// Starts a worker that runs any command of the host which answers pings, and waits until it responds.
    ///
    /// - Parameter isStrict: True if a message that answers no call ends the worker.
    /// - Throws: ``ViperError/Code/programFailed`` if the worker cannot be started, or if it exits before it responds.
    static func start(
        _ module: String, _ program: String, _ arguments: [String], supervisor: String? = nil,
        environment: WorkerEnvironment, temporaryFolder: String, root: WorkerRoot? = nil, limits: WorkerLimits,
        registry: RegistryReader? = nil, isStrict: Bool = false, line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Worker {
        let process = try WorkerProcess(
            program, arguments, environment: environment.variables.merging(["TMPDIR": temporaryFolder]) { $1 },
            supervisor: supervisor, limits: limits, line: line)
        let worker = Worker(module, root, process, limits, environment, registry, isStrict: isStrict)
        switch await worker.ping(within: limits.start) {
        case .answered, .ending: return worker
        case .silent: process.kill(because: .overdue(limits.start))
        case .lost: break
        }
        // The module's code has not run, so the module is not at fault.
        var error = await worker.failure()
        error.code = .programFailed
        throw error.explained(by: environment)
    }

    private init(
        _ module: String, _ root: WorkerRoot?, _ process: WorkerProcess, _ limits: WorkerLimits,
        _ environment: WorkerEnvironment, _ registry: RegistryReader?, isStrict: Bool
    ) {
        (self.module, self.root, self.process, self.limits) = (module, root, process, limits)
        self.environment = environment
        var messages = Limits.ofCaller
        (messages.message, messages.unsent) = (Self.longestMessage, .max)
        let connection = LineConnection(reading: process.socket, writing: process.socket, limits: messages)
        peer = Peer(connection, limits: messages)
        scenes = RemoteScenes(peer, callLimit: limits.call)
        let registry = registry.map { RegistryAnswers($0) }
        peer.start { [weak self, weak peer, scenes] method, content throws(ViperError) in
            if let registry, let peer, let answer = try registry.answer(method, content, over: peer) { return answer }
            // Only the process of a check announces steps. A module could otherwise put text into its quarantine report.
            guard isStrict, method == "step" else { return try scenes.answer(method, content) }
            self?.step = try content.notification(StepNotification.self).step
            return .now(EmptyPayload())
        } end: { _ in
            Task { await self.scenes.lose(await self.failure()) }
        } stray: { [process] in
            if isStrict { process.kill(because: .strayMessage($0)) }
        }
        // End the connection when the worker exits, because another process may still hold it open.
        Task { [process, peer] in
            _ = await process.end()
            peer.abandonAfterInput()
        }
    }

    /// Opens a scene in the module without starting the scene.
    ///
    /// - Throws: The error that the module throws, ``ViperError/Code/workerCrashed``, or
    ///   ``ViperError/Code/workerKilled``.
    @MainActor
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        let scene = try await inside(orAtOnce: true) { () async throws(ViperError) in
            try await scenes.scene(request.route, .values(request.parameters), navigator: request.navigator)
        }
        return WorkerScene(scene, of: self)
    }

    /// Takes the module through all phases up to and including the given phase.
    ///
    /// - Throws: The same errors as ``content(for:)``, or ``ViperError/Code/timeLimit`` if the module is slow but
    ///   responsive.
    func check(_ phase: WorkerPhase) async throws(ViperError) {
        step = phase.rawValue
        let alarm = Alarm(after: limits.start, on: queue) { [weak self, limits] in
            Task { await self?.endIfHung(after: limits.start) }
        }
        defer { alarm.cancel() }
        do throws(ViperError) {
            try await withTimeLimit(
                limits.call + .seconds(60), "cannot check module", module
            ) { [self] () async throws(ViperError) in
                try await inside { () async throws(ViperError) in
                    _ = try await peer.call("check", CheckCall(module: module, phase: phase), as: EmptyPayload.self)
                }
            }
        } catch {
            // The worker's own limit for the health check may come first. A module that blocks its main actor hangs, and
            // the alarm may have killed its worker meanwhile.
            if error.code == .timeLimit, let failure = await failureIfHung(after: limits.start) { throw failure }
            throw error.explained(by: environment)
        }
    }

    /// Calls the module's `run()` in the worker, without a time limit. If the task is cancelled, waits for at most two
    /// seconds until `run()` has ended.
    ///
    /// - Throws: The same errors as ``content(for:)``.
    func run() async throws(ViperError) {
        let ended = OneShot<Void>()
        do throws(ViperError) {
            try await inside { () async throws(ViperError) in
                let result = try await peer.call("run", RunCall(module: module), as: RunResult.self) { _ in ended.set()
                }
                if result.isFinished { return }
                throw ViperError(
                    .hostEnding, operation: "cannot run module", subject: module, cause: "its worker is shutting down")
            }
        } catch {
            if error.code == .callCancelled {
                try? await withTimeLimit(Self.timeout, "cannot run module", module) { await ended.value() }
            }
            throw error
        }
    }

    /// Calls `check` with parameters of the command that the worker runs. Kills the worker if it does not answer within
    /// the time limit for calls, even if it is only slow.
    ///
    /// - Throws: The same errors as ``content(for:)``.
    func check<Value: Decodable & Sendable>(
        _ call: some Encodable & Sendable, as type: Value.Type
    ) async throws(ViperError) -> Value {
        let alarm = Alarm(after: limits.call, on: queue) { [process, limits] in
            process.kill(because: .overdue(limits.call))
        }
        defer { alarm.cancel() }
        return try await inside { () async throws(ViperError) in
            try await peer.call("check", call, as: type)
        }
    }

    /// Asks the module to stop and the process to exit. Kills the process if it does not exit within two seconds.
    @discardableResult
    func stop() async -> WorkerProcess.End {
        isStopping.store(true, ordering: .relaxed)
        peer.close()
        return await end(within: Self.timeout, orKill: .killedByHost)
    }

    /// Kills the process.
    func kill() async -> WorkerProcess.End {
        isStopping.store(true, ordering: .relaxed)
        process.kill()
        return await process.end()
    }

    /// True if the process has exited. It is always true after the errors ``ViperError/Code/workerCrashed`` and
    /// ``ViperError/Code/workerKilled``, unless the module itself throws an error with such a code.
    var hasEnded: Bool { process.hasEnded }

    func end() async -> WorkerProcess.End { await process.end() }

    /// Runs a closure that waits for a response from the worker. The caller may cancel its task before the time limit for
    /// calls. If the worker hangs at the end of that time, it is killed.
    ///
    /// - Parameter throwsAtOnce: True to throw without waiting for the exit of a worker that is ending.
    /// - Throws: The error that the closure throws. If the worker exits, ``ViperError/Code/workerCrashed`` or
    ///   ``ViperError/Code/workerKilled``. If the module does not answer in time but the worker does,
    ///   ``ViperError/Code/timeLimit``.
    func inside<Value>(
        orAtOnce throwsAtOnce: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        let deadline = ContinuousClock.now + limits.call
        do {
            return try await work()
        } catch {
            if error.code == .callCancelled, !Task.isCancelled, deadline <= .now { throw await overdue() }
            if error.code == .callCancelled {
                // The caller may have been cancelled before the limit, while the worker works for others.
                _ = Alarm(after: max(.zero, deadline - .now), on: queue) { [weak self, limits] in
                    Task { await self?.endIfHung(after: limits.call) }
                }
            }
            // A module may throw errors with the codes that a worker uses, so the worker is asked. One that is ending refuses
            // all calls, because it has received a signal from outside.
            if error.code == .hostEnding, await ping(within: Self.timeout) != .answered {
                hasRefusedCalls.store(true, ordering: .relaxed)
                if throwsAtOnce, !hasEnded { throw .workerEnding(module) }
                throw await failure(orKill: .killedByHost)
            }
            guard error.code == .connectionLost, await ping(within: Self.timeout) == .lost else { throw error }
            throw await failure()
        }
    }

    /// Kills the worker if its main actor does not respond. A worker that responds is only slow.
    @discardableResult
    private func endIfHung(after limit: Duration) async -> PingResult {
        let result = await ping(within: Self.timeout)
        if result == .silent { process.kill(because: .overdue(limit)) }
        return result
    }

    /// Returns the error of a worker that hangs, is ending or has ended. Kills it if it hangs. Returns nil if it responds.
    private func failureIfHung(after limit: Duration) async -> ViperError? {
        switch await endIfHung(after: limit) {
        case .answered: nil
        case .ending: await failure(orKill: .killedByHost)
        case .silent, .lost: await failure()
        }
    }

    /// Returns the error for a call that has reached the time limit. Kills the worker if it hangs.
    private func overdue() async -> ViperError {
        if let failure = await failureIfHung(after: limits.call) { return failure }
        return ViperError(
            .timeLimit, operation: "cannot use module", subject: module,
            cause: "a call took longer than \(limits.call.inSeconds)",
            fix: "make the call return sooner; only host serve can allow more time, with --limit time=SECONDS")
    }

    private enum PingResult { case answered, silent, lost, ending }

    private func ping(within limit: Duration) async -> PingResult {
        let ping = Task { () async -> PingResult in
            do throws(ViperError) {
                _ = try await peer.call("ping", EmptyPayload(), as: EmptyPayload.self)
                return .answered
            } catch {
                switch error.code {
                case .callCancelled: return .silent
                case .connectionLost: return .lost
                case .hostEnding: return .ending
                default: return .answered
                }
            }
        }
        let alarm = Alarm(after: limit, on: queue) { ping.cancel() }
        defer { alarm.cancel() }
        return await ping.value
    }

    /// Waits for the process to exit, and returns the error for the lost connection.
    private func failure(orKill reason: WorkerEnding = .disconnected) async -> ViperError {
        // If this host has closed the connection, the worker is not at fault.
        let isStopping = isStopping.load(ordering: .relaxed)
        return .workerEnded(
            module,
            isStopping
                ? await end(within: Self.timeout, orKill: .killedByHost)
                : await end(within: Self.exitTimeout, orKill: reason))
    }

    /// Waits for an expected exit, and kills the process if it takes too long.
    private func end(within limit: Duration, orKill reason: WorkerEnding) async -> WorkerProcess.End {
        let alarm = Alarm(after: limit, on: queue) { self.process.kill(because: reason) }
        defer { alarm.cancel() }
        return await process.end()
    }
}
