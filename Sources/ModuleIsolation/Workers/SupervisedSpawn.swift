import CSystem
import Glibc
import HostSystem
import ViperKit

/// The parameters for starting a worker and its ``Supervisor``. The worker starts with default signal handling and
/// without the host's open descriptors.
///
/// Both programs start at the same time, so starting them takes no longer than starting the worker alone. This requires
/// the host's own code between `vfork` and `execve`, which `posix_spawn` does not support.
struct SupervisedSpawn {
    var program: String
    var arguments: [String]
    var supervisor: String
    var environment: [String: String]
    /// The descriptor that becomes the worker's standard input and output.
    var connection: Int32
    var errors: Int32

    struct Processes {
        /// The worker's process ID. It cannot be reused before ``Supervisor/begin(_:over:)`` is called.
        var worker: pid_t
        /// The process ID of the supervisor, which is a child of this process.
        var supervisor: pid_t
        /// The host's end of the socket that serves as the supervisor's standard input.
        var control: Descriptors
    }

    func start() throws(ViperError) -> Processes {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw failure(errno)
        }
        let control = Descriptors(reading: ends[0], writing: ends[0])
        let started = withCStrings([program] + arguments) { worker in
            withCStrings([supervisor, Supervisor.command]) { supervisor in
                withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                    start_supervised(worker, supervisor, variables, connection, errors, ends[1])
                }
            }
        }
        close(ends[1])
        if started < 0 { throw failure(-started) }
        // The worker's process ID arrives before the supervisor's program starts, so this read does not wait for the
        // program.
        let worker = Supervisor.number(from: control) ?? -EIO
        if worker > 0 { return Processes(worker: worker, supervisor: started, control: control) }
        _ = takeStatus(ofEnded: started)
        throw failure(-worker)
    }

    private func failure(_ number: Int32) -> ViperError {
        ViperError(.programFailed, operation: "cannot run", subject: program, cause: String(cString: strerror(number)))
    }
}
