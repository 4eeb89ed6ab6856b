import CSystem
import Dispatch
import FoundationEssentials
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
        let pipes = try SubprocessPipes(output, tied: isTiedToHost)
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
        (result.output, result.errors) = pipes.readToEnd(of: process)
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !isTiedToHost { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
        pipes.add(to: &actions)
        if let workingFolder { posix_spawn_file_actions_addchdir_np(&actions, workingFolder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETPGROUP and POSIX_SPAWN_SETSIGDEF, whose C macros Swift does not import. A host in a session ignores
        // signals that its children shall not ignore.
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, (timeLimit == nil ? 0 : 0x02) | 0x04)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let failure = withCStrings([program] + arguments) { words in
            withCStrings(variables) { posix_spawnp(&process, program, &actions, &attributes, words, $0) }
        }
        if failure == 0 { return process }
        throw ViperError(
            .programFailed, "cannot run", program, cause: String(cString: strerror(failure)),
            mend: failure == ENOENT ? "install it, or add its folder to PATH" : nil)
    }
}

/// C's form of a list of texts, for the time of a call.
private func withCStrings<Value>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    // strdup's copies live until they are freed here; the list ends with the null that C looks for.
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
}
