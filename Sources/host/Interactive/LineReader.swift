import Glibc
import HostSystem
import ViperKit

/// A reader of lines from standard input. It reads only when a caller requests a line.
actor LineReader {
    /// The maximum length of a line, in bytes.
    static let longest = 1 << 20

    private let executor = QueueExecutor("input")
    /// The bytes that have been read but not yet returned.
    private var rest: ArraySlice<UInt8> = []
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the next line without its newline, or nil at the end of the input. The last line does not need a
    /// newline.
    ///
    /// - Throws: `usage` if the line is too long or not valid UTF-8. The following lines can still be read.
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
        ViperError(.usage, operation: "cannot parse", subject: "the line", cause: cause)
    }

    /// Waits for input and returns it. Returns an empty slice at the end of the input.
    private static func read() -> ArraySlice<UInt8> {
        while true {
            switch SystemRead(of: STDIN_FILENO) {
            case .bytes(let bytes): return bytes[...]
            // Another process that shares the input may set O_NONBLOCK.
            case .failed(errno: EAGAIN):
                var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                poll(&wanted, 1, -1)
            // A read error counts as the end of the input.
            case .end, .failed: return []
            }
        }
    }
}
