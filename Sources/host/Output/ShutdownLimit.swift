import Dispatch
import HostSystem
import Synchronization
import ViperKit
import ViperRuntime

/// The time limits for shutting down a host that serves or runs a session. They are needed because a module may block the main actor forever.
///
/// If a limit is exceeded, the process reports the modules or scenes that are still running, removes the host's folder,
/// and exits with an error.
final class ShutdownLimit: Sendable {
    private struct Limit {
        let time: Duration
        let due: ContinuousClock.Instant
    }

    private let host: ViperHost
    private let prepare: @Sendable () -> Void
    /// The earliest limit. Nil while the host may run for any time.
    private let limit = Mutex<Limit?>(nil)
    /// A semaphore that wakes the thread when a limit is set.
    private let limited = DispatchSemaphore(value: 0)

    /// Creates the limits of a host, with a thread of their own. A module can neither block the thread nor break it by
    /// closing descriptors, which a dispatch timer needs.
    ///
    /// - Parameter prepare: A closure to call before the process ends because of a limit.
    /// - Throws: ``ViperError/Code/resourceMissing`` if the thread cannot be started.
    init(of host: ViperHost, prepare: @escaping @Sendable () -> Void = {}) throws(ViperError) {
        (self.host, self.prepare) = (host, prepare)
        try startThread { self.hold() }
    }

    /// Ends the process with an error if it is still running after this time.
    func limit(to time: Duration) {
        let new = Limit(time: time, due: .now + time)
        limit.withLock { limit in
            if limit.map({ new.due < $0.due }) ?? true { limit = new }
        }
        limited.signal()
    }

    private func hold() {
        limited.wait()
        var time = Duration.zero
        while let limit = limit.withLock({ $0 }) {
            time = limit.time
            let rest = limit.due - .now
            if rest <= .zero { break }
            // The interval is rounded down to milliseconds.
            _ = limited.wait(timeout: .now() + .milliseconds(Int(rest / .milliseconds(1)) + 1))
        }
        end(after: time)
    }

    private func end(after time: Duration) -> Never {
        ForcedExit.exit(ExitCode.software.rawValue) {
            prepare()
            let error = host.overdue(after: time)
            for line in ErrorReport(error: error).text.split(separator: "\n") { LogOutput.write(String(line)) }
            host.removeFolder()
            LogOutput.flush(within: .seconds(1))
        }
    }
}
