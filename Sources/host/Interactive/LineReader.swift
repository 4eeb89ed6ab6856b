import Glibc
import ViperKit
import ViperRuntime

/// Lines from standard input, each read when it is asked for.
actor LineReader {
    /// Longer than a person types, and short enough to be kept in memory.
    static let longest = 1 << 20

    private let executor = QueueExecutor("input")
    /// What was read and not handed out yet.
    private var rest: ArraySlice<UInt8> = []
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The next line without its end, or nil when the input is over. A last line needs no newline.
    ///
    /// - Throws: `usage` for a line that is too long or no UTF-8; the next one can be read nevertheless.
    func next() throws(ViperError) -> String? {
        var (line, isTooLong): ([UInt8], Bool) = ([], false)
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            isTooLong = isTooLong || line.count + rest[..<(end ?? rest.endIndex)].count > Self.longest
            if !isTooLong { line += rest[..<(end ?? rest.endIndex)] }
            if let end {
                rest = rest[(end + 1)...]
                break
            }
            rest = isOver ? [] : Self.read()
            if rest.isEmpty {
                isOver = true
                if line.isEmpty && !isTooLong { return nil }
                break
            }
        }
        if isTooLong { throw Self.unusable("it is longer than \(Self.longest) bytes") }
        guard let text = String(validating: line, as: UTF8.self) else { throw Self.unusable("it is not UTF-8") }
        return text
    }

    private static func unusable(_ cause: String) -> ViperError {
        ViperError(.usage, "cannot understand", "the line", cause: cause)
    }

    /// What is there to be read; waits until there is something. Empty at the end of the input.
    private static func read() -> ArraySlice<UInt8> {
        while true {
            switch SystemRead(of: STDIN_FILENO) {
            case .bytes(let bytes): return bytes[...]
            // Whoever shares the input with the host has set it not to wait.
            case .failed(errno: EAGAIN):
                var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                poll(&wanted, 1, -1)
            // What cannot be read has nothing more to say.
            case .end, .failed: return []
            }
        }
    }
}
