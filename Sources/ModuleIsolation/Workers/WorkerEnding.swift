import Glibc

/// How a worker's process ended.
package enum WorkerEnding: Equatable, Sendable {
    /// By itself, with this exit code.
    case code(Int32)
    case signal(Int32)
    /// It was killed because it used more memory than this, in bytes.
    case overMemory(Int)
    /// It was killed because it did not answer for so long.
    case overdue(Duration)
    /// It was killed because it has closed its connection to the host, and did not end.
    case disconnected
    /// The host did not need it any more.
    case killedByHost

    /// What is said after "its worker".
    package var description: String {
        switch self {
        case .code(let code): "ended by itself with exit code \(code)"
        case .signal(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .overMemory(let limit): "used more than \(limit >> 20) MiB of memory and was ended"
        case .overdue(let limit): "did not answer for \(limit.formattedSeconds) and was ended"
        case .disconnected: "closed its connection to the host and was ended"
        case .killedByHost: "was ended by the host"
        }
    }
}

extension Duration {
    /// `10 s`, `1.5 s`.
    fileprivate var formattedSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
