import Glibc
import HostSystem
import Synchronization

/// What a worker writes to standard error: each line is handed on, and beginning and end are kept.
final class ErrorOutput: Sendable {
    let pipe: Descriptors
    private let state = Mutex(State())
    private let line: @Sendable (String) -> Void

    private struct State {
        var excerpt = OutputExcerpt()
        var lines = LineSplitter()
        /// Whether nothing will come any more.
        var isOver = false
    }

    enum Reading { case something, nothing, end }

    /// - Parameter descriptor: The value owns it.
    init(reading descriptor: Int32, line: @escaping @Sendable (String) -> Void) {
        (pipe, self.line) = (Descriptors(reading: descriptor, writing: descriptor), line)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Reads once.
    ///
    /// - Returns: Whether it read something, there is nothing now, or nothing will come any more.
    func read() -> Reading {
        let reading = SystemRead(of: pipe.reading)
        guard case .bytes(let bytes) = reading else {
            if reading == .failed(errno: EAGAIN) { return .nothing }
            state.withLock { $0.isOver = true }
            return .end
        }
        let lines = state.withLock { state in
            state.excerpt.append(bytes)
            return state.lines.lines(completedBy: bytes)
        }
        lines.forEach(line)
        return .something
    }

    /// Reads what a process has left in the pipe, and returns what was kept of all that it wrote.
    func finish() -> String {
        // A pipe holds 64 KiB, and at most 1 MiB. A process that got away may go on writing, and is not waited for.
        var reads = 0
        while reads < 16, !state.withLock(\.isOver), case .something = read() { reads += 1 }
        let (text, rest) = state.withLock { ($0.excerpt.text, $0.lines.finish()) }
        if let rest { line(rest) }
        return text
    }
}
