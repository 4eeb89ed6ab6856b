/// A log for the people who operate the host. Show results for users on a screen, not in the log.
public protocol Logger: Sendable {
    /// Writes a message to standard error, as one line with the module's name.
    ///
    /// By default, the host writes only messages at level ``LogLevel/warning`` or above. `host serve` and `host dev`
    /// also write messages at level ``LogLevel/info``, and `--verbose` enables all levels. The message is not evaluated
    /// if its level is disabled.
    func log(_ level: LogLevel, _ message: @autoclosure () -> String)
}

/// The severity of a log message. This type is a struct, and its raw values have gaps, so that levels can be added.
public struct LogLevel: RawRepresentable, Hashable, Sendable, Comparable {
    /// The severity. A greater value is more severe.
    public let rawValue: Int

    /// Creates a level with the given severity.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Details for debugging, intended for the module's author.
    public static var debug: Self { Self(rawValue: 100) }
    /// Information about normal operation.
    public static var info: Self { Self(rawValue: 200) }
    /// A problem that does not make an operation fail.
    public static var warning: Self { Self(rawValue: 300) }
    /// A failed operation.
    public static var error: Self { Self(rawValue: 400) }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension LogLevel: CustomStringConvertible {
    /// The name of the level. An unknown level has the name of the next lower known level, or `debug` if there is none.
    public var description: String {
        if self >= .error { return "error" }
        if self >= .warning { return "warning" }
        return self >= .info ? "info" : "debug"
    }
}

extension ServiceKey where Service == any Logger {
    /// The module's logger, named `logger` in manifests. The host provides this service.
    public static var logger: Self { Self("logger") }
}
