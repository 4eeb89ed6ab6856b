import Glibc
import HostSystem
import Synchronization

/// A reader of a worker's standard error. It forwards each line, and keeps the beginning and end of the output.
final class ErrorOutput: Sendable {
    let pipe: Descriptors
    private let state = Mutex(State())
    private let line: @Sendable (String) -> Void

    private struct State {
        var excerpt = OutputExcerpt()
        var lines = LineSplitter()
        var isOver = false
    }

    enum Reading { case something, nothing, end }

    init(reading descriptor: Int32, line: @escaping @Sendable (String) -> Void) {
        (pipe, self.line) = (Descriptors(reading: descriptor, writing: descriptor), line)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

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

    /// Reads the remaining output, and returns an excerpt of the whole output.
    func finish() -> String {
        // Reads at most 1 MiB, which is the maximum size of a pipe, because a process that escaped the supervisor may
        // still be writing.
        var reads = 0
        while reads < 16, !state.withLock(\.isOver), case .something = read() { reads += 1 }
        let (text, rest) = state.withLock { ($0.excerpt.text, $0.lines.finish()) }
        if let rest { line(rest) }
        return text
    }
}
