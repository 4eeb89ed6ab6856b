import CSystem
import Glibc
import HostSystem
import ViperKit

/// Starts a worker below a ``Supervisor``. In the worker signals act as usual, and no descriptor of the host is open.
///
/// Worker and supervisor start at the same time, which takes no longer than starting the worker alone. For this the parent has to set up
/// both between `vfork` and `execve`, which `posix_spawn` cannot.
struct SupervisedSpawn {
    var program: String
    var arguments: [String]
    /// The program of the supervisor: the host.
    var supervisor: String
    /// All variables of both.
    var environment: [String: String]
    /// Becomes the worker's standard input and output.
    var connection: Int32
    /// Becomes the worker's standard error.
    var errors: Int32

    /// A worker that was started, and its supervisor.
    struct Processes {
        /// Not given to another process before ``Supervisor/begin(_:over:)``.
        var worker: pid_t
        /// A child of this process.
        var supervisor: pid_t
        /// The supervisor's standard input.
        var control: Descriptors
    }

    /// Starts both.
    ///
    /// - Throws: ``ViperError/Code/programFailed``.
    func start() throws(ViperError) -> Processes {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw failure(errno)
        }
        let control = Descriptors(reading: ends[0], writing: ends[0])
        let started = withCStrings([program] + arguments) { worker in
            withCStrings([supervisor, Supervisor.command]) { supervisor in
                withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                    // The call reads the lists, and keeps none of them.
                    start_supervised(worker, supervisor, variables, connection, errors, ends[1])
                }
            }
        }
        close(ends[1])
        if started < 0 { throw failure(-started) }
        // Sent before the supervisor's program starts, so that this does not wait.
        let worker = Supervisor.number(from: control) ?? -EIO
        if worker > 0 { return Processes(worker: worker, supervisor: started, control: control) }
        _ = takeStatus(ofEnded: started)
        throw failure(-worker)
    }

    private func failure(_ number: Int32) -> ViperError {
        ViperError(.programFailed, "cannot run", program, cause: String(cString: strerror(number)))
    }
}
