import CSystem
import Dispatch
import Glibc
import HostSystem
import Synchronization
package import ViperKit

/// A long-lived child process that communicates with the host over the child's standard input and output.
///
/// A ``Supervisor`` kills the child's descendants when the child or the host exits.
package final class WorkerProcess: Sendable {
    package struct End: Sendable {
        package var ending: WorkerEnding
        var report: CrashReport

        /// True if the library is at fault, and not another process, the system or the host.
        var isFault: Bool { ending.isFault }
    }

    let process: pid_t
    /// The host's end of the socket that serves as the process's standard input and output. The owner of this object
    /// must close the socket.
    package let socket: Int32

    /// The process's pidfd, which never refers to another process, even if the process ID is reused.
    private let handle: Descriptors
    private let life = Mutex(Life())
    private let ended = OneShot<End>()

    private struct Life {
        /// The reason for killing the process. Nil if the host did not kill it.
        var reason: WorkerEnding?
        /// The time at which a supervisor that has not reported the worker's end is killed. Nil while the worker runs.
        var reportDue: ContinuousClock.Instant?
        /// The worker's wait status. Nil until the supervisor has reported it.
        var status: Int32?
        var isOver = false
    }

    /// The interval at which the worker's memory is checked. Between two checks, the kernel limits the memory to twice
    /// ``WorkerLimits/memory``.
    private static let memoryInterval = DispatchTimeInterval.milliseconds(25)
    /// The time that a supervisor has to kill the descendants of a worker.
    private static let reportLimit = Duration.seconds(10)

    /// Creates a worker process by starting a program.
    ///
    /// - Parameters:
    ///   - program: The program's path.
    ///   - environment: The complete environment. `SWIFT_BACKTRACE` is added.
    ///   - supervisor: The host program's path. Defaults to `program`.
    ///   - line: A closure that receives each line of standard error. It is called on the process's queue.
    /// - Throws: ``ViperError/Code/programFailed`` if the program cannot be started.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = WorkerEnvironment().variables,
        supervisor: String? = nil, limits: WorkerLimits, line: @escaping @Sendable (String) -> Void
    ) throws(ViperError) {
        StandardDescriptors.claim()
        // A socket returns an error if the reader has closed it. A pipe would raise SIGPIPE, which ends the host.
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw ViperError(
                .programFailed, operation: "cannot run", subject: program, cause: String(cString: strerror(errno)))
        }
        defer { close(ends[1]) }
        ends[0] = StandardDescriptors.avoid(ends[0])
        guard ends[0] >= 0 else {
            throw ViperError(
                .programFailed, operation: "cannot run", subject: program, cause: String(cString: strerror(errno)))
        }
        socket = ends[0]
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
            // The supervisor has not started its work. When it exits, the system kills the worker.
            Glibc.kill(started.supervisor, SIGKILL)
            _ = takeStatus(ofEnded: started.supervisor)
            pipes.closeOwnSides()
            close(socket)
            throw ViperError(.programFailed, operation: "cannot run", subject: program, cause: cause)
        }
        limits.apply(to: process)
        Supervisor.begin(process, over: started.control)
        watch(started, ErrorOutput(reading: pipes.own(STDERR_FILENO), line: line), memory, limit: limits.memory)
    }

    /// Kills the process. Does nothing if the process has exited. If the method is called more than once, only the
    /// first reason is kept.
    package func kill(because reason: WorkerEnding = .killedByHost) {
        life.withLock { life in
            if life.isOver { return }
            if life.reason == nil { life.reason = reason }
            _ = signal_pidfd(handle.reading, SIGKILL)
        }
    }

    var hasEnded: Bool { ended.isSet }

    package func end() async -> End { await ended.value() }

    /// Watches the process. The handlers retain this object, so the process is always reaped.
    private func watch(
        _ started: SupervisedSpawn.Processes, _ errors: ErrorOutput, _ memory: MemoryUse, limit: Int
    ) {
        let queue = DispatchQueue(label: "worker \(process)")
        let output = Readiness(of: errors.pipe, .reading, on: queue)
        output.start { if case .end = errors.read() { output.cancel() } }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            if life.withLock(\.isOver) { return timer.cancel() }
            let used = memory.resident
            if used > limit { kill(because: .overMemory(limit)) }
            if used == 0, hasExited { resume(started.supervisor) }
        }
        timer.setCancelHandler { memory.close() }
        timer.schedule(deadline: .now() + Self.memoryInterval, repeating: Self.memoryInterval)
        timer.activate()
        // The socket becomes readable after the supervisor has killed the worker's descendants, even if another process
        // still holds the worker's pipes open.
        let end = Readiness(of: started.control, .reading, on: queue)
        end.start { [self] in
            if takeFirstStatus(from: started.control) { return }
            let ending = ending(of: started)
            let text = errors.finish()
            output.cancel()
            end.cancel()
            ended.set(End(ending: ending, report: CrashReport(readFrom: text, of: ending)))
        }
    }

    /// True if the process has exited, even if its supervisor has not reported the end yet.
    private var hasExited: Bool {
        var process = pollfd(fd: handle.reading, events: Int16(POLLIN), revents: 0)
        return poll(&process, 1, 0) == 1 && Int32(process.revents) & POLLIN != 0
    }

    /// Continues the supervisor of a process that has exited, because a stopped supervisor never reports the end. Kills
    /// it if it still reports nothing after some time. Its process ID is valid until ``ending(of:)`` has reaped it.
    private func resume(_ supervisor: pid_t) {
        life.withLock { life in
            if life.isOver { return }
            let due = life.reportDue ?? .now + Self.reportLimit
            life.reportDue = due
            _ = Glibc.kill(supervisor, due < .now ? SIGKILL : SIGCONT)
        }
    }

    /// Reads the next message of the supervisor. Returns true if it is the first report of the process's end, which is
    /// kept even if the supervisor is killed before it has killed all descendants.
    private func takeFirstStatus(from control: Descriptors) -> Bool {
        let status = Supervisor.number(from: control)
        return life.withLock { life in
            if life.status != nil { return false }
            life.status = status
            return status != nil
        }
    }

    /// Waits for the process and its supervisor to exit, and returns how the process ended.
    private func ending(of started: SupervisedSpawn.Processes) -> WorkerEnding {
        let told = life.withLock(\.status)
        if told == nil {
            // If the supervisor was killed, the system kills the worker. Wait until the worker has exited.
            _ = signal_pidfd(handle.reading, SIGKILL)
            var worker = pollfd(fd: handle.reading, events: Int16(POLLIN), revents: 0)
            while poll(&worker, 1, -1) < 0, errno == EINTR {}
        }
        let status = told ?? SIGKILL
        return life.withLock { life in
            // The supervisor has done its work. A module may have stopped it.
            _ = Glibc.kill(started.supervisor, SIGKILL)
            _ = takeStatus(ofEnded: started.supervisor)
            life.isOver = true
            // Decodes the wait status directly, because C's macros for its fields are not imported.
            let signal = status & 0x7F
            if signal == 0 { return .code(status >> 8 & 0xFF) }
            return signal == SIGKILL ? life.reason ?? .signal(signal) : .signal(signal)
        }
    }
}
