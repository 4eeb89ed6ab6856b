import Dispatch
import FoundationEssentials
import Glibc
import HostSystem
import Synchronization
import ViperKit

/// The log on standard error. Writing a line never blocks. If the reader is slow, the lines wait in a queue.
enum LogOutput {
    private struct Receiver {
        let receive: @Sendable (String) -> Void
    }

    private struct State {
        var waiting = 0
        /// The number of lines that have been dropped since the last write.
        var dropped = 0
        /// True if each line begins with the time.
        var hasTimes = false
        /// True if each line is written as JSON, also with the time.
        var isJSON = false
        /// A closure that receives the lines in place of standard error. Nil if they are written.
        var receiver: Receiver?
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let queue = DispatchQueue(label: "log")
    private static let state = Mutex(State())
    /// The maximum number of waiting lines. Further lines are dropped, and the log reports the number of dropped lines.
    private static let limit = 10_000

    /// Begins each further line with the time if standard error is a file. Other receivers, such as a journal, add the
    /// time themselves.
    static func addTimesInFile() {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        state.withLock { $0.hasTimes = true }
    }

    /// True if each line is written as a JSON object.
    static var isJSON: Bool { state.withLock { $0.isJSON } }

    /// Writes each further line as a JSON object.
    static func writeJSON() { state.withLock { $0.isJSON = true } }

    /// Passes further lines to a closure while a front end draws on the terminal to which they would be written. Nil writes
    /// them again.
    static func divert(to receive: (@Sendable (String) -> Void)?) {
        let isNeeded = isatty(STDERR_FILENO) == 1
        state.withLock { $0.receiver = isNeeded ? receive.map(Receiver.init) : nil }
    }

    /// Writes a line after all waiting lines, without waiting for the reader.
    @Sendable
    static func write(_ line: String) {
        if let receiver = state.withLock(\.receiver) { return receiver.receive(printable(line)) }
        let line = formatted(line)
        state.withLock { state in
            // If possible, write the line immediately, because the process may crash right after this call.
            if state.waiting == 0, hasRoom(for: line) { return put(line) }
            if state.waiting >= limit {
                state.dropped += 1
                return
            }
            state.waiting += 1
            queue.async { writeWaiting(line) }
        }
    }

    /// Returns a line as it is written: with the time, or as JSON.
    private static func formatted(_ line: String) -> String {
        let (hasTime, isJSON) = state.withLock { ($0.hasTimes, $0.isJSON) }
        let line = printable(line)
        if !hasTime, !isJSON { return line }
        let time = Date.now.formatted(time)
        guard isJSON, let json = try? FoundationJSONCoder().encode(LogLine(line, at: time)) else {
            return "\(time) \(line)"
        }
        return String(decoding: json, as: UTF8.self)
    }

    /// Waits until all lines have been written or the time limit has been reached.
    static func flush(within limit: DispatchTimeInterval = .never) {
        if state.withLock({ $0.waiting }) == 0 { return }
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: limit == .never ? .distantFuture : .now() + limit)
    }

    /// Ends the process after the waiting lines have been written. The wait is limited to one second, because the
    /// reader of standard error may have stopped reading.
    static func exit(_ code: Int32) -> Never {
        flush(within: .seconds(1))
        Glibc.exit(code)
    }

    private static func writeWaiting(_ line: String) {
        put(line)
        let dropped = state.withLock { state in
            defer { state.dropped = 0 }
            state.waiting -= 1
            return state.dropped
        }
        if dropped > 0 { put(formatted("host: warning: dropped \(dropped) lines: standard error was not read")) }
    }

    /// Returns true if writing the line will not block.
    private static func hasRoom(for line: String) -> Bool {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return true }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFIFO:
            var wanted = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            // A pipe that is ready for writing has room for one page, but not necessarily for more.
            return line.utf8.count < 4096 && poll(&wanted, 1, 0) == 1
        // A terminal or socket that is ready for writing may have room for less than a line.
        default: return false
        }
    }

    private static func put(_ line: String) {
        try? Terminal.writeVerbatim(line + "\n", to: STDERR_FILENO)
    }
}
