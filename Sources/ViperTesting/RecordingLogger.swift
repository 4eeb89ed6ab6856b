import Synchronization
public import ViperKit

/// Keeps what a module logs, for a test to look at.
public final class RecordingLogger: Logger {
    private let kept = Mutex<[(level: LogLevel, message: String)]>([])

    /// A logger that has heard nothing.
    public init() {}

    /// What was logged so far, in order.
    public var messages: [(level: LogLevel, message: String)] { kept.withLock { $0 } }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        let message = message()
        kept.withLock { $0.append((level, message)) }
    }
}
