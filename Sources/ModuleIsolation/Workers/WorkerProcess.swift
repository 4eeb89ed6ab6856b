import CSystem
import Dispatch
import Glibc
import HostSystem
import Synchronization
package import ViperKit

/// A process that lives long: the host talks to it over its standard input and output, hears what it writes to standard error, and
/// learns of its end at once. A ``Supervisor`` kills all that it has started, when it ends and when the host does.
package final class WorkerProcess: Sendable {
    /// What is left of it.
    package struct End: Sendable {
        package var ending: WorkerEnding
        var report: CrashReport
    }

    let process: pid_t
    /// What the host writes to and reads from: the process has its other end as standard input and output. It belongs to whoever
    /// made this value, who closes it.
    package let socket: Int32

    /// Its pidfd, which stays its own when its number is another process's.
    private let handle: Descriptors
    private let life = Mutex(Life())

    private struct Life {
        /// Why the host has killed it, if it has.
        var reason: WorkerEnding?
        var isOver = false
        var end: End?
        var waiting: [CheckedContinuation<End, Never>] = []
    }

    /// How often the memory is looked at. What a process can take meanwhile is held by a limit of the system, at twice as much.
    private static let memoryInterval = DispatchTimeInterval.milliseconds(25)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - environment: All its variables, besides the one that makes the runtime report crashes.
    ///   - supervisor: The path of the host's program; else it is `program`.
    ///   - line: Hears each line of standard error, on a queue of this process.
    /// - Throws: ``ViperError/Code/programFailed``.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = WorkerEnvironment().variables,
        supervisor: String? = nil, limits: WorkerLimits, line: @escaping @Sendable (String) -> Void
    ) throws(ViperError) {
        StandardDescriptors.claim()
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
        let started: SupervisedSpawn.Processes
        do {
            started = try SupervisedSpawn(
                program: program, arguments: arguments, supervisor: supervisor ?? program,
                environment: environment.merging(["SWIFT_BACKTRACE": CrashReport.settings]) { $1 },
                connection: ends[1], errors: pipes.child(STDERR_FILENO)
            ).start()
        } catch {
            pipes.closeOwnSides()
            close(ends[0])
            throw error
        }
        process = started.worker
        let number = pidfd_of(process)
        handle = Descriptors(reading: number, writing: number)
        guard number >= 0, let memory = MemoryUse(of: process) else {
            let cause = String(cString: strerror(errno))
            // The supervisor, which has not begun, kills the worker when it ends.
            Glibc.kill(started.supervisor, SIGKILL)
            _ = takeStatus(ofEnded: started.supervisor)
            pipes.closeOwnSides()
            close(socket)
            throw ViperError(.programFailed, "cannot run", program, cause: cause)
        }
        limits.apply(to: process)
        Supervisor.begin(process, over: started.control)
        watch(started, ErrorOutput(reading: pipes.own(STDERR_FILENO), line: line), memory, limit: limits.memory)
    }

    /// Kills it. Only the first reason counts, and none when it has ended before.
    package func kill(because reason: WorkerEnding = .killedByHost) {
        life.withLock { life in
            if life.isOver { return }
            if life.reason == nil { life.reason = reason }
            _ = signal_pidfd(handle.reading, SIGKILL)
        }
    }

    /// Whether it has ended.
    var hasEnded: Bool { life.withLock { $0.end != nil } }

    /// Waits for its end.
    package func end() async -> End {
        await withCheckedContinuation { continuation in
            let end = life.withLock { life in
                if life.end == nil { life.waiting.append(continuation) }
                return life.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// What waits holds this value until the process has ended, so that it is always waited for.
    private func watch(
        _ started: SupervisedSpawn.Processes, _ errors: ErrorOutput, _ memory: MemoryUse, limit: Int
    ) {
        let queue = DispatchQueue(label: "worker \(process)")
        let output = Readiness(of: errors.pipe, .reading, on: queue)
        output.start { if case .end = errors.read() { output.cancel() } }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            if life.withLock(\.isOver) { return timer.cancel() }
            if memory.resident > limit { kill(because: .overMemory(limit)) }
        }
        timer.setCancelHandler { memory.close() }
        timer.schedule(deadline: .now() + Self.memoryInterval, repeating: Self.memoryInterval)
        timer.activate()
        // Ready when the supervisor has killed what the worker has left behind, whoever still holds its pipes.
        let end = Readiness(of: started.control, .reading, on: queue)
        end.start { [self] in
            let ending = ending(toldBy: started)
            let text = errors.finish()
            output.cancel()
            end.cancel()
            finish(ending, text)
        }
    }

    /// How the process ended. It has ended when this returns, and so has its supervisor.
    private func ending(toldBy started: SupervisedSpawn.Processes) -> WorkerEnding {
        let told = Supervisor.number(from: started.control)
        if told == nil {
            // The system kills the worker of a supervisor that was killed; this waits for it.
            _ = signal_pidfd(handle.reading, SIGKILL)
            var worker = pollfd(fd: handle.reading, events: Int16(POLLIN), revents: 0)
            while poll(&worker, 1, -1) < 0, errno == EINTR {}
        }
        let status = told ?? SIGKILL
        _ = takeStatus(ofEnded: started.supervisor)
        return life.withLock { life in
            life.isOver = true
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
        for continuation in waiting { continuation.resume(returning: end) }
    }
}
