import Foundation
import Glibc
import Synchronization

/// A program that runs in a child process until it exits.
///
/// This type replaces Foundation's `Process`, which neither reports peak memory nor supports terminals. Output goes to
/// files instead of pipes, so the child never blocks on a full pipe.
public struct ChildProcess: Sendable {
    /// The destination of a child's standard output.
    public enum Output: Sendable {
        /// A file whose content becomes the result's ``ChildResult/output``.
        case captured
        /// A pseudo-terminal. The text that the program writes to it becomes the result's ``ChildResult/output``.
        case terminal
        /// An existing file at this path, such as a device that refuses writes.
        case file(String)
    }

    /// The program's path, or a name to look up in `PATH`.
    public var program: String
    public var arguments: [String]
    /// The child's environment. No other variables are inherited, so tests do not depend on the environment in which
    /// they run. If it has no `HOME`, the child gets a home folder that this process has created for its children. All
    /// compilers among the children and their descendants share ``Products/moduleCache``.
    public var environment: [String: String]
    public var workingFolder = "/"
    public var input = "/dev/null"
    public var output = Output.captured

    /// Creates a program that inherits `PATH` and `TSAN_OPTIONS` from this process. The given variables are added to its environment.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) {
        (self.program, self.arguments) = (program, arguments)
        self.environment = Self.inherited.merging(environment) { $1 }
    }

    private static let inherited = ProcessInfo.processInfo.environment.filter {
        // A host under ThreadSanitizer needs the same options as its tests.
        $0.key == "PATH" || $0.key == "TSAN_OPTIONS"
    }

    // The queue is serial and private, because the global queues share the threads that run the tests.
    private static let timers = DispatchQueue(label: "ChildProcess.timers")

    /// Runs the program until it exits.
    ///
    /// - Throws: ``ChildFailure`` if the program cannot start or exceeds the time limit.
    public func run() async throws -> ChildResult { try await onOwnThread { try runBlocking() } }

    private func runBlocking() throws -> ChildResult {
        let folder = try ScratchFolder()
        let (outputFile, errorFile) = (folder.path + "/stdout", folder.path + "/stderr")
        var terminal: Terminal?
        let spawned = try Self.spawning.withLock { _ in
            if case .terminal = output { terminal = try Terminal() }
            return try spawn(outputFile, errorFile, terminal)
        }
        let isOverdue = Mutex(false)
        let timer = DispatchSource.makeTimerSource(queue: Self.timers)
        timer.setEventHandler {
            isOverdue.withLock { $0 = true }
            kill(spawned, SIGKILL)
        }
        timer.schedule(deadline: .now() + Patience.limit / .seconds(1))
        timer.activate()
        let shown = terminal?.readToEnd()
        // WNOWAIT leaves the child unreaped, so that its process ID cannot be reused while the timer may still kill the
        // process.
        var information = siginfo_t()
        while waitid(P_PID, id_t(spawned), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        timer.cancel()
        var (status, usage): (Int32, rusage) = (0, rusage())
        while wait4(spawned, &status, 0, &usage) < 0, errno == EINTR {}

        let result = ChildResult(
            ending: status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F),
            output: try shown ?? Data(contentsOf: URL(filePath: outputFile)),
            errors: String(decoding: try Data(contentsOf: URL(filePath: errorFile)), as: UTF8.self),
            peakMemory: usage.ru_maxrss * 1024)
        if isOverdue.withLock({ $0 }) {
            throw ChildFailure("\(program) \(arguments) did not exit within \(Patience.limit): \(result)")
        }
        return result
    }
}
