import CSystem
import FoundationEssentials
import Glibc
import ViperKit

/// How a child process begins. What it does not say is as the system has it for a new program: signals act as usual, and no
/// descriptor of the host is open in it.
struct ChildSpawn {
    /// A path, or a name that is looked up in `PATH`.
    var program: String
    var arguments: [String]
    /// Set in addition to the host's own environment.
    var environment: [String: String] = [:]
    var workingFolder: String?
    /// Whether it is the first of a process group of its own, which Ctrl-C does not reach and which can be killed as a whole.
    var leadsGroup = false
    /// Which descriptors of the host become its standard ones. Of those that are not here, input is empty and outputs are the host's.
    var descriptors: [(own: Int32, child: Int32)] = []

    /// Starts it.
    ///
    /// - Throws: ``ViperError/Code/programFailed``.
    func start() throws(ViperError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !descriptors.contains(where: { $0.child == STDIN_FILENO }) {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        // A module may have closed the host's standard descriptors, so that others have got their numbers. In the child one would be
        // written over before it is copied.
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
        // The host's own are closed on exec. What its modules have opened need not be.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        if let workingFolder { posix_spawn_file_actions_addchdir_np(&actions, workingFolder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A host in a session ignores signals that its children shall not ignore, and threads of Dispatch block most of them.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETPGROUP, _SETSIGDEF and _SETSIGMASK, whose C macros Swift does not import.
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
            .programFailed, "cannot run", program, cause: String(cString: strerror(number)),
            mend: number == ENOENT ? "install it, or add its folder to PATH" : nil)
    }
}
