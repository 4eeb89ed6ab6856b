import CSystem
import FoundationEssentials
import Glibc
import ViperKit

/// The parameters for starting a child process. The child starts with default signal actions, an empty signal mask, and
/// no open descriptors except its standard descriptors.
struct ChildSpawn {
    /// The program's path, or its name if the program is in `PATH`.
    var program: String
    var arguments: [String]
    /// The environment variables to set in addition to the host's environment.
    var environment: [String: String] = [:]
    var workingFolder: String?
    /// True if the child leads its own process group. Ctrl-C does not reach this group, and the host can kill the whole
    /// group at once.
    var leadsGroup = false
    /// Pairs of a descriptor in the host and the standard descriptor that it becomes in the child. Without a pair for
    /// standard input, the child reads from `/dev/null`. Without a pair for an output, the child inherits the host's
    /// output.
    var descriptors: [(own: Int32, child: Int32)] = []

    /// Starts the process.
    ///
    /// - Returns: The process ID.
    /// - Throws: ``ViperError/Code/programFailed`` if the program cannot be started.
    func start() throws(ViperError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !descriptors.contains(where: { $0.child == STDIN_FILENO }) {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        // If a module has closed the host's standard descriptors, a descriptor in the list may have one of their
        // numbers. Such a descriptor is copied to a higher number first, because the child would overwrite it before
        // duplicating it.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (own, child) in descriptors {
            var source = own
            if own <= STDERR_FILENO {
                source = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                if source < 0 { throw failure(errno) }
                copies.append(source)
            }
            posix_spawn_file_actions_adddup2(&actions, source, child)
        }
        // The host's descriptors are close-on-exec, but a module's descriptors may not be.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        if let workingFolder { posix_spawn_file_actions_addchdir_np(&actions, workingFolder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A host ignores SIGPIPE, which its children must not ignore. In addition, most signals are blocked on Dispatch's
        // threads.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        // The flags are POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGDEF and POSIX_SPAWN_SETSIGMASK, which Swift does not
        // import.
        posix_spawnattr_setflags(&attributes, (leadsGroup ? 0x02 : 0) | 0x04 | 0x08)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let failure = withCStrings([program] + arguments) { words in
            withCStrings(variables) { posix_spawnp(&process, program, &actions, &attributes, words, $0) }
        }
        if failure == 0 { return process }
        throw self.failure(failure)
    }

    private func failure(_ number: Int32) -> ViperError {
        ViperError(
            .programFailed, operation: "cannot run", subject: program, cause: String(cString: strerror(number)),
            fix: number == ENOENT ? "install it, or add its folder to PATH" : nil)
    }
}
