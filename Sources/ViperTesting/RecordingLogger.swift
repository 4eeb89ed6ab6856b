import Synchronization
public import ViperKit

/// A logger that records its messages, for tests.
public final class RecordingLogger: Logger {
    private let kept = Mutex<[(level: LogLevel, message: String)]>([])

    /// Creates a logger without messages.
    public init() {}

    /// The logged messages, in order.
    public var messages: [(level: LogLevel, message: String)] { kept.withLock { $0 } }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        let message = message()
        kept.withLock { $0.append((level, message)) }
    }
}
