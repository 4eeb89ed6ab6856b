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
    /// When the child is killed, and ``run()`` throws.
    public var timeLimit = 60.0

    /// A program that sees `PATH` and `HOME` of this process, and otherwise only what is given.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) {
        (self.program, self.arguments) = (program, arguments)
        self.environment = Self.inherited.merging(environment) { $1 }
    }

    private static let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }

    // Waiting blocks a thread, and the threads of Swift's pool belong to the tests.
    private static let threads: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        return queue
    }()

    /// Runs the program until it ends.
    ///
    /// - Throws: ``ChildFailure`` when it cannot be started or takes longer than its time limit.
    public func run() async throws -> ChildResult {
        try await withCheckedThrowingContinuation { continuation in
            Self.threads.addOperation { continuation.resume(with: Result { try runBlocking() }) }
        }
    }

    private func runBlocking() throws -> ChildResult {
        let folder = try ScratchFolder()
        let (outputFile, errorFile) = (folder.path + "/stdout", folder.path + "/stderr")
        var terminal: Terminal?
        let spawned = try Self.spawning.withLock { _ in
            if case .terminal = output { terminal = try Terminal() }
            return try spawn(outputFile, errorFile, terminal)
        }
        let isOverdue = Mutex(false)
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler {
            isOverdue.withLock { $0 = true }
            kill(spawned, SIGKILL)
        }
        timer.schedule(deadline: .now() + timeLimit)
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
            throw ChildFailure("\(program) \(arguments) took longer than \(timeLimit) s: \(result)")
        }
        return result
    }

    // A descriptor that is opened while another thread spawns would leak into that thread's child.
    private static let spawning = Mutex<Void>(())

    private func spawn(_ outputFile: String, _ errorFile: String, _ terminal: Terminal?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputFile, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorFile, create, 0o600)
        if let terminal { posix_spawn_file_actions_adddup2(&actions, terminal.childSide, 1) }
        if case .file(let path) = output { posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0) }

        // posix_spawn's own way to change the folder is not visible from Swift; env becomes the program.
        let words = ["env", "--chdir=\(workingFolder)", program] + arguments
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let error = withCStrings(words) { words in
            withCStrings(variables) { variables in
                posix_spawn(&process, "/usr/bin/env", &actions, nil, words, variables)
            }
        }
        terminal?.closeChildSide()
        if error != 0 { throw ChildFailure("cannot start \(program): \(String(cString: strerror(error)))") }
        return process
    }
}

private func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
) rethrows -> Value {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return try body(pointers + [nil])
}
