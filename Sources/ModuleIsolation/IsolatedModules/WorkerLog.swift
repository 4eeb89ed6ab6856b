import HostSystem
import Synchronization
import ViperKit

/// The log of a worker's standard error.
///
/// The crash reports of Swift's runtime are logged at `debug`, because the host's own error about a crash is shorter.
final class WorkerLog: Sendable {
    private let module: String
    private let logger: LineLogger
    /// True if the worker only probes the module. Its lines are then logged at `debug`, because the module writes them
    /// again when it is used.
    private let isProbe: Bool
    private let isReporting = Mutex(false)

    init(of module: String, _ logger: LineLogger, isProbe: Bool) {
        (self.module, self.logger, self.isProbe) = (module, logger.named(module), isProbe)
    }

    func add(_ line: String) {
        // Messages from the worker's host refer to its private root and are not useful to the user.
        if isProbe || line.hasPrefix("host: ") || isOfReport(line) { return logger.log(.debug, line) }
        let (level, text) = LogLevel.read(line, of: module)
        logger.log(level, text)
    }

    /// Returns true if a line belongs to a crash report, or is empty. Empty lines surround a report.
    private func isOfReport(_ line: String) -> Bool {
        isReporting.withLock { isReporting in
            if line.hasPrefix("*** Signal ") || line.hasPrefix("*** Program crashed: ") { isReporting = true }
            defer { if line.hasPrefix("Backtrace took ") { isReporting = false } }
            return isReporting || line.isEmpty
        }
    }
}
