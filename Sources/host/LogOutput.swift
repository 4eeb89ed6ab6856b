import Dispatch
import Glibc
import Synchronization
import ViperKit
import ViperRuntime

/// Standard error for log lines. A reader that stops reading holds up no task that logs: while there is no room, lines wait for a thread
/// that does nothing else.
enum LogOutput {
    private struct State {
        var waiting = 0
        /// The number of lines that were dropped since one was last written.
        var dropped = 0
    }

    private static let queue = DispatchQueue(label: "log")
    private static let state = Mutex(State())
    /// How many lines may wait for the reader. Further lines are dropped and counted.
    private static let limit = 10_000

    /// Writes a line after those before it. Waits for nobody.
    @Sendable
    static func write(_ line: String) {
        let line = printable(line)
        state.withLock { state in
            // At once if possible: the process may crash right after.
            if state.waiting == 0, hasRoom(for: line) { return put(line) }
            if state.waiting >= limit {
                state.dropped += 1
                return
            }
            state.waiting += 1
            queue.async { writeWaiting(line) }
        }
    }

    /// Returns when all lines have been written, or the limit is reached.
    static func flush(within limit: DispatchTimeInterval = .never) {
        if state.withLock({ $0.waiting }) == 0 { return }
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: limit == .never ? .distantFuture : .now() + limit)
    }

    /// Ends the process after the waiting lines have been written. Waits at most one second, because nothing may read them.
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
        if dropped > 0 { put("host: warning: \(dropped) lines were dropped: nothing read standard error") }
    }

    /// True if writing a line returns at once, as far as the system tells.
    private static func hasRoom(for line: String) -> Bool {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return true }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return true
        case S_IFIFO:
            var wanted = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            // A pipe that is ready has room for a page, and may have room for no more.
            return line.utf8.count < 4096 && poll(&wanted, 1, 0) == 1
        // A terminal or a socket that is ready may have room for less than a line.
        default: return false
        }
    }

    private static func put(_ line: String) {
        // A log that cannot be written has nobody to complain to.
        try? Terminal.writeVerbatim(line + "\n", to: STDERR_FILENO)
    }
}
