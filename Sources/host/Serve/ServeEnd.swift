import Dispatch
import Glibc
import HostSystem
import ViperKit
import ViperRuntime

/// The time limits for shutting down a serving host. They are needed because a module may block the main actor forever.
///
/// If a limit is exceeded, the process reports the modules or scenes that are still running, removes the host's folder,
/// and exits with an error.
final class ServeEnd: Sendable {
    private let host: ViperHost
    // The queue is private, so that no module can keep the process from exiting.
    private let queue = DispatchQueue(label: "end")

    init(of host: ViperHost) { self.host = host }

    /// Ends the process with an error if it is still running after this time.
    func limit(to time: Duration) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) { [host] in
            let error = host.overdue(after: time)
            host.removeFolder()
            for line in "host: \(printable(error))".split(separator: "\n") { LogOutput.write(String(line)) }
            LogOutput.flush(within: .seconds(1))
            EndingSignal.endProcess()
            _exit(ExitCode(error.code.kind).rawValue)
        }
    }
}
