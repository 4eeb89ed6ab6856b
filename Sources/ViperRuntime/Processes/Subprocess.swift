import Dispatch
import Glibc
import Synchronization
package import ViperKit

/// A program that the host runs to its end: a compiler, or another host.
package struct Subprocess: Sendable {
    /// Where what the program writes goes.
    package enum Output: Sendable {
        /// To where the host's own goes, and so as it comes.
        case inherited
        /// Into the result, both outputs apart, of each at most this many bytes; what comes after them is read and dropped.
        case captured(limit: Int)
    }

    /// How the program ended.
    package enum Ending: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
        /// It was killed, with all that it had started, because its time was over.
        case overdue
    }

    /// What came of it.
    package struct Result: Sendable {
        package var ending: Ending
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
    }

    /// A path, or a name that is looked up in `PATH`.
    package var program: String
    package var arguments: [String]
    /// Set in addition to the host's own environment.
    package var environment: [String: String] = [:]
    package var workingFolder: String?
    package var output = Output.inherited
    /// Whether its standard input ends when the host does, however that ends; else it is empty. A program that watches it then need not
    /// outlive the host.
    package var isTiedToHost = false
    /// How long it may take. A program with a limit is in a process group of its own, which Ctrl-C does not reach.
    package var timeLimit: Duration?

    package init(_ program: String, _ arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

    /// Runs the program.
    ///
    /// - Throws: ``ViperError/Code/programFailed`` when it cannot be started. How it ends is no error.
    package func run() async throws(ViperError) -> Result {
        let result = await withCheckedContinuation { continuation in
            // Waiting takes a thread, and those of Swift's pool must not wait.
            Self.threads.async { continuation.resume(returning: Swift.Result(catching: waited)) }
        }
        return try result.get()
    }

    private static let threads = DispatchQueue(label: "subprocesses", attributes: .concurrent)

    private func waited() throws(ViperError) -> Result {
        var (numbers, limit) = (isTiedToHost ? [STDIN_FILENO] : [], 0)
        if case .captured(let bytes) = output {
            numbers += [STDOUT_FILENO, STDERR_FILENO]
            limit = bytes
        }
        let pipes = try SubprocessPipes(numbers)
        let process: pid_t
        do { process = try spawn(pipes) } catch {
            pipes.closeChildSides()
            pipes.closeOwnSides()
            throw error
        }
        pipes.closeChildSides()
        let isOverdue = Mutex(false)
        let isOver = Mutex(false)
        let timer = timeLimit.map { limit in
            let timer = DispatchSource.makeTimerSource(queue: Self.threads)
            timer.setEventHandler {
                isOver.withLock { isOver in
                    if isOver { return }
                    isOverdue.withLock { $0 = true }
                    kill(-process, SIGKILL)
                }
            }
            timer.schedule(deadline: .now() + .milliseconds(Int(limit / .milliseconds(1))))
            timer.activate()
            return timer
        }
        var result = Result(ending: .code(0))
        (result.output, result.errors) = pipes.readToEnd(of: process, limit: limit)
        // Waits without taking the number away, so that the timer cannot kill a stranger.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        // The timer does nothing after this, also when it is about to: the number may be another's soon.
        isOver.withLock { $0 = true }
        timer?.cancel()
        // What it has started and left behind goes with it.
        if timeLimit != nil { kill(-process, SIGKILL) }
        pipes.closeOwnSides()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The bits of a wait status; C's macros for them are not imported.
        result.ending = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
        if isOverdue.withLock({ $0 }) { result.ending = .overdue }
        return result
    }

    private func spawn(_ pipes: SubprocessPipes) throws(ViperError) -> pid_t {
        try ChildSpawn(
            program: program, arguments: arguments, environment: environment, workingFolder: workingFolder,
            leadsGroup: timeLimit != nil, descriptors: pipes.descriptors
        ).start()
    }
}
