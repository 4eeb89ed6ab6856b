import CSystem
import Dispatch
import Glibc
import Synchronization
import ViperKit

/// A child process that lives long: the host talks to it over its standard input and output, hears what it writes to standard
/// error, and learns of its end at once. All that it has started goes with it.
final class WorkerProcess: Sendable {
    /// What is left of it.
    struct End: Sendable {
        var ending: WorkerEnding
        var report: CrashReport
    }

    let process: pid_t
    /// What the host writes to and reads from: the process has its other end as standard input and output. It belongs to whoever
    /// made this value, who closes it.
    let socket: Int32

    private let life = Mutex(Life())

    private struct Life {
        /// Why the host has killed it, if it has.
        var reason: WorkerEnding?
        /// Whether its number was given back, and may be another's.
        var isReaped = false
        var end: End?
        var waiting: [@Sendable (End) -> Void] = []
    }

    /// How often the memory is looked at. What a process can take meanwhile is held by a limit of the system, at twice as much.
    private static let memoryInterval = DispatchTimeInterval.milliseconds(25)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - line: Hears each line of standard error, on a queue of this process.
    /// - Throws: ``ViperError/Code/programFailed``.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], limits: WorkerLimits,
        line: @escaping @Sendable (String) -> Void
    ) throws(ViperError) {
        // A socket, for a write to one that nobody reads is an error, and to a pipe a signal that ends the host.
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw ViperError(.programFailed, "cannot run", program, cause: String(cString: strerror(errno)))
        }
        socket = ends[0]
        defer { close(ends[1]) }
        let pipes: SubprocessPipes
        do {
            pipes = try SubprocessPipes([STDERR_FILENO])
        } catch {
            close(ends[0])
            throw error
        }
        defer { pipes.closeChildSides() }
        let spawn = ChildSpawn(
            program: program, arguments: arguments,
            environment: ["SWIFT_BACKTRACE": CrashReport.settings].merging(environment) { $1 }, leadsGroup: true,
            descriptors: pipes.descriptors + [(ends[1], STDIN_FILENO), (ends[1], STDOUT_FILENO)])
        do {
            process = try spawn.start()
        } catch {
            pipes.closeOwnSides()
            close(ends[0])
            throw error
        }
        let handle = pidfd_of(process)
        guard handle >= 0, let memory = MemoryUse(of: process) else {
            let cause = String(cString: strerror(errno))
            if handle >= 0 { close(handle) }
            Glibc.kill(-process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            pipes.closeOwnSides()
            close(socket)
            throw ViperError(.programFailed, "cannot run", program, cause: cause)
        }
        limits.apply(to: process)
        watch(handle, ErrorOutput(reading: pipes.own(STDERR_FILENO), line: line), memory, limit: limits.memory)
    }

    /// Ends it and all that it has started. Only the first reason counts, and none when it has ended before.
    func kill(because reason: WorkerEnding = .killedByHost) {
        life.withLock { life in
            if life.isReaped { return }
            if life.reason == nil { life.reason = reason }
            Glibc.kill(-process, SIGKILL)
        }
    }

    /// Hears of its end, once; at once when it has ended.
    func onEnd(_ body: @escaping @Sendable (End) -> Void) {
        let end = life.withLock { life in
            if life.end == nil { life.waiting.append(body) }
            return life.end
        }
        if let end { body(end) }
    }

    /// Whether it has ended.
    var hasEnded: Bool { life.withLock { $0.end != nil } }

    /// Waits for its end.
    func end() async -> End {
        await withCheckedContinuation { continuation in onEnd { continuation.resume(returning: $0) } }
    }

    /// What waits holds this value until the process has ended, so that it is always waited for.
    private func watch(_ handle: Int32, _ errors: ErrorOutput, _ memory: MemoryUse, limit: Int) {
        let queue = DispatchQueue(label: "worker \(process)")
        let output = Readiness(of: errors.pipe, .reading, on: queue)
        output.start { if case .end = errors.read() { output.cancel() } }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            if life.withLock(\.isReaped) { return timer.cancel() }
            if memory.resident > limit { kill(because: .overMemory(limit)) }
        }
        timer.setCancelHandler { memory.close() }
        timer.schedule(deadline: .now() + Self.memoryInterval, repeating: Self.memoryInterval)
        timer.activate()
        // Ready once all its threads have ended, whoever still holds its pipes.
        let end = Readiness(of: Descriptors(reading: handle, writing: handle), .reading, on: queue)
        end.start { [self] in
            let ending = reap()
            let text = errors.finish()
            output.cancel()
            end.cancel()
            finish(ending, text)
        }
    }

    /// Takes the process's number away, and says how it ended.
    private func reap() -> WorkerEnding {
        life.withLock { life in
            // The number is still its own: what it has started and left behind goes with it.
            Glibc.kill(-process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            life.isReaped = true
            // The bits of a wait status; C's macros for them are not imported.
            let signal = status & 0x7F
            if signal == 0 { return .code(status >> 8 & 0xFF) }
            return signal == SIGKILL ? life.reason ?? .signal(signal) : .signal(signal)
        }
    }

    private func finish(_ ending: WorkerEnding, _ errors: String) {
        let end = End(ending: ending, report: CrashReport(readFrom: errors))
        let waiting = life.withLock { life in
            life.end = end
            defer { life.waiting = [] }
            return life.waiting
        }
        for body in waiting { body(end) }
    }
}
