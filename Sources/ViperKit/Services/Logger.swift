/// Tells people who run the host what a module does. Never for results: those belong on a screen.
public protocol Logger: Sendable {
    /// Writes one line to standard error, with the module's name.
    ///
    /// Levels below ``LogLevel/warning`` are shown with `--verbose` only; their message is then not even made.
    func log(_ level: LogLevel, _ message: @autoclosure () -> String)
}

/// How much a line in the log matters.
public enum LogLevel: Int, Sendable, Comparable {
    /// For the module's author.
    case debug
    /// What happens in the normal course.
    case info
    /// Something to look at, though the work goes on.
    case warning
    /// Something failed.
    case error

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ServiceKey where Service == any Logger {
    /// The log, `logger` in manifests. The host provides it.
    public static var logger: Self { Self("logger") }
}
