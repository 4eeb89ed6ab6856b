import Foundation
import Glibc
import Synchronization

/// A program to run to its end, as a user would from a shell.
///
/// Foundation's `Process` is not used because it knows no peak memory and no terminal. Output goes to files and not to
/// pipes, so no amount of it can block anybody.
public struct ChildProcess: Sendable {
    /// Where the child's standard output leads.
    public enum Output: Sendable {
        /// To the result.
        case captured
        /// To a pseudo-terminal, and from there to the result.
        case terminal
        /// To this file, for a device that refuses it.
        case file(String)
    }

    /// A path, or a name that is looked up in `PATH`.
    public var program: String
    public var arguments: [String]
    /// All of it: nothing is inherited, so that a test does not depend on who runs it.
    public var environment: [String: String]
    public var workingFolder = "/"
    /// The file that the child reads as its standard input.
    public var input = "/dev/null"
    public var output = Output.captured

    /// A program that sees `PATH` and `HOME` of this process, and otherwise only what is given.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) {
        (self.program, self.arguments) = (program, arguments)
        self.environment = Self.inherited.merging(environment) { $1 }
    }

    private static let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }

    // A private serial queue: the global ones share the threads that run the tests.
    private static let timers = DispatchQueue(label: "ChildProcess.timers")

    /// Runs the program until it ends.
    ///
    /// - Throws: ``ChildFailure`` when it cannot be started or takes longer than its time limit.
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
        // Waits without taking the child's number away, so that the timer cannot kill a stranger.
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
            throw ChildFailure("\(program) \(arguments) took longer than \(Patience.limit): \(result)")
        }
        return result
    }
}
