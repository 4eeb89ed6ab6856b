/// A log for the people who run the host. Show results on a screen, not in the log.
public protocol Logger: Sendable {
    /// Writes one line with the module's name to standard error.
    ///
    /// By default, the host writes only messages at the level ``LogLevel/warning`` or above; `host dev` also writes
    /// ``LogLevel/info``, and `--verbose` enables all levels. The message is not evaluated if its level is disabled.
    func log(_ level: LogLevel, _ message: @autoclosure () -> String)
}

/// The severity of a log message.
public enum LogLevel: Int, Sendable, Comparable {
    /// Information for the module's author.
    case debug
    /// Normal operation.
    case info
    /// A problem that does not stop the work.
    case warning
    /// A failed operation.
    case error

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ServiceKey where Service == any Logger {
    /// The module's logger, named `logger` in manifests. The host provides this service.
    public static var logger: Self { Self("logger") }
}
