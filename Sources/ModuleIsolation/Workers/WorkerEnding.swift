import Glibc
import HostSystem

package enum WorkerEnding: Equatable, Sendable {
    /// The process exited with this code.
    case code(Int32)
    case signal(Int32)
    /// The process was killed because it used more than this number of bytes.
    case overMemory(Int)
    /// The process was killed because it did not respond within this time.
    case overdue(Duration)
    /// The process was killed because it closed its connection without exiting.
    case disconnected
    /// The process was killed because it sent a message that answers no call.
    case strayMessage(String)
    /// The process was killed because the host no longer needed it.
    case killedByHost

    /// A predicate for the subject "its worker", such as "exited with code 0".
    package var description: String {
        switch self {
        case .code(let code): "exited with code \(code)"
        case .signal(let signal): "was terminated by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .overMemory(let limit): "used more than \(limit >> 20) MiB of memory and was killed"
        case .overdue(let limit): "did not respond within \(limit.inSeconds) and was killed"
        case .disconnected: "closed its connection to the host and was killed"
        case .strayMessage(let message): "sent a message that answers no question (\(message))"
        case .killedByHost: "was killed by the host"
        }
    }
}

extension WorkerEnding {
    /// True if the library is at fault: it crashed, aborted or exited, or the worker exceeded a limit of the host.
    ///
    /// Any other signal usually comes from outside, such as SIGTERM when the system stops a service, or SIGKILL when
    /// memory is short. It says nothing about the library. A worker that receives a fault signal from another process
    /// ends by SIGKILL instead; see ``CrashHandler``.
    var isFault: Bool {
        switch self {
        case .signal(let signal): [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(signal)
        case .killedByHost: false
        case .code, .overMemory, .overdue, .disconnected, .strayMessage: true
        }
    }
}
