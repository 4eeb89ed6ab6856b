import Dispatch
import Glibc
import HostSystem
import JSONRPC
import ModuleRuntime
import Synchronization
import ViperKit

/// A module in a process of its own, with those that provide what it needs: a host that serves its scenes to this one.
///
/// It counts nothing and starts nothing anew: whoever has it hears of its end by ``end()``.
final class Worker: Sendable {
    /// The module's name.
    let module: String
    private let root: WorkerRoot
    private let process: WorkerProcess
    /// The number of its process.
    var number: Int { Int(process.process) }
    private let peer: Peer
    private let scenes: RemoteScenes
    private let limits: WorkerLimits
    private let environment: WorkerEnvironment
    private let isStopping = Atomic(false)
    private let queue = DispatchQueue(label: "worker limits")

    /// The longest message that is read from a worker. A screen of a million rows is shorter.
    private static let longestMessage = 64 << 20
    /// All clients of this host share what its workers allow: each has its own limits here.
    private static let sharedLimits = [
        "scenes=1000000", "calls=10000", "message=\(1 << 30)", "pending=\(longestMessage)",
    ]
    .flatMap { ["--limit", $0] }
    /// How long a worker has to say that it is there. Nothing but the main actor's time is needed for it.
    private static let patience = Duration.seconds(2)

    /// Starts a worker, and waits until it answers.
    ///
    /// - Parameters:
    ///   - program: The host that it runs.
    ///   - supervisor: The program of its supervisor; else it is `program`.
    ///   - environment: The variables that it inherits.
    ///   - line: Hears each line that it writes to standard error.
    /// - Throws: ``ViperError/Code/programFailed``, or ``ViperError/Code/workerCrashed`` when it ends at once.
    static func start(
        _ module: String, in root: WorkerRoot, limits: WorkerLimits, program: String = "/proc/self/exe",
        supervisor: String? = nil, arguments: [String] = [], environment: WorkerEnvironment = WorkerEnvironment(),
        line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Worker {
        // Later than this process's own limit, at which a worker that hangs is told from one that is slow. A day is the longest.
        let time = min(86_400, limits.call / .seconds(1) + 60)
        let process = try WorkerProcess(
            program,
            ["serve", "--stdio", "--as-is", "--root", root.path, "--limit", "time=\(time)"]
                + root.trust.options + Self.sharedLimits + arguments,
            environment: environment.variables.merging(["TMPDIR": root.temporaryFolder]) { $1 },
            supervisor: supervisor, limits: limits, line: line)
        let worker = Worker(module, root, process, limits, environment)
        switch await worker.ping(within: limits.start) {
        case .answered: return worker
        case .silent: process.kill(because: .overdue(limits.start))
        case .lost: break
        }
        // None of the module's code has run.
        var error = await worker.failure()
        error.code = .programFailed
        throw error.explained(by: environment)
    }

    private init(
        _ module: String, _ root: WorkerRoot, _ process: WorkerProcess, _ limits: WorkerLimits,
        _ environment: WorkerEnvironment
    ) {
        (self.module, self.root, self.process, self.limits) = (module, root, process, limits)
        self.environment = environment
        var messages = Limits.ofCaller
        messages.message = Self.longestMessage
        let connection = LineConnection(reading: process.socket, writing: process.socket, limits: messages)
        peer = Peer(connection, limits: messages)
        scenes = RemoteScenes(peer)
        peer.start(answer: scenes.answer) { _ in
            Task { await self.scenes.lose(await self.failure()) }
        }
    }

    /// Opens a scene of the module, without beginning its work.
    ///
    /// - Throws: What the module threw, or ``ViperError/Code/workerCrashed``.
    @MainActor
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        let scene = try await inside { () async throws(ViperError) in
            try await scenes.scene(request.route, .values(request.parameters), navigator: request.navigator)
        }
        return WorkerScene(scene, of: self)
    }

    /// Makes the module ready up to a phase.
    ///
    /// - Throws: As ``content(for:)``.
    func check(_ phase: WorkerPhase) async throws(ViperError) {
        // Shorter than the worker's own limit for a call, which would only answer: one that hangs here is to be ended.
        do throws(ViperError) {
            _ = try await inside(within: limits.start) { () async throws(ViperError) in
                try await peer.call("check", CheckCall(module: module, phase: phase), as: Nothing.self)
            }
        } catch {
            throw error.explained(by: environment)
        }
    }

    /// Asks the module to stop, and ends the process; by force when it does not end soon.
    ///
    /// - Returns: How it ended.
    @discardableResult
    func stop() async -> WorkerProcess.End {
        isStopping.store(true, ordering: .relaxed)
        peer.close()
        return await end(orKill: .killedByHost)
    }

    /// Whether it has ended. Whoever was told of it by an error finds it so.
    var hasEnded: Bool { process.hasEnded }

    /// Waits for its end.
    func end() async -> WorkerProcess.End { await process.end() }

    /// Does something that the worker has to answer.
    ///
    /// - Parameter limit: How long it may take; else as long as a call may.
    /// - Throws: What it throws; when the worker ends meanwhile, how it ended.
    func inside<Value>(
        isolation: isolated (any Actor)? = #isolation, within limit: Duration? = nil,
        _ work: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        let limit = limit ?? limits.call
        let alarm = Alarm(after: limit, on: queue) {
            // One that answers is only slow; its own time limit ends the call.
            Task {
                if await self.ping(within: Self.patience) == .silent { self.process.kill(because: .overdue(limit)) }
            }
        }
        do {
            let value = try await work()
            alarm.cancel()
            return value
        } catch {
            // That nobody waits any more does not mean that it will answer.
            if error.code != .callCancelled { alarm.cancel() }
            // What a module throws may have this code as well.
            guard error.code == .connectionLost, await ping(within: Self.patience) == .lost else { throw error }
            throw await failure()
        }
    }

    private enum Sign { case answered, silent, lost }

    private func ping(within limit: Duration) async -> Sign {
        let ping = Task { () async -> Sign in
            do throws(ViperError) {
                _ = try await peer.call("ping", Nothing(), as: Nothing.self)
                return .answered
            } catch {
                switch error.code {
                case .callCancelled: return .silent
                case .connectionLost: return .lost
                default: return .answered
                }
            }
        }
        let alarm = Alarm(after: limit, on: queue) { ping.cancel() }
        defer { alarm.cancel() }
        return await ping.value
    }

    /// Why nothing comes of it any more; for when its connection has ended.
    private func failure() async -> ViperError {
        // The connection also ends when this host closes it: then the worker has done nothing wrong.
        let reason: WorkerEnding = isStopping.load(ordering: .relaxed) ? .killedByHost : .disconnected
        return .workerCrashed(module, await end(orKill: reason))
    }

    /// Waits for the end that is at hand.
    private func end(orKill reason: WorkerEnding) async -> WorkerProcess.End {
        let alarm = Alarm(after: Self.patience, on: queue) { self.process.kill(because: reason) }
        defer { alarm.cancel() }
        return await process.end()
    }
}

/// `check`: makes a module ready up to a phase.
package struct CheckCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case module, phase }

    package var module: String
    package var phase: WorkerPhase
}
