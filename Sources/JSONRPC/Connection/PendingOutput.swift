import HostSystem

/// The lines that are waiting to be written to a connection.
struct PendingOutput {
    private var bytes: [UInt8] = []
    private var written = 0

    var count: Int { bytes.count - written }

    mutating func add(_ line: [UInt8]) {
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Writes as much as possible without blocking.
    ///
    /// - Returns: The error number if writing fails, otherwise nil.
    mutating func write(to descriptors: Descriptors) -> Int32? {
        defer { forgetWritten() }
        while count > 0 {
            switch bytes.withUnsafeBytes({ descriptors.write(.init(rebasing: $0[written...])) }) {
            case .done(let count): written += count
            case .notNow: return nil
            case .failed(let number): return number
            }
        }
        return nil
    }

    private mutating func forgetWritten() {
        if written == bytes.count {
            // Keeps a small buffer for reuse, but frees a large one.
            bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 17)
            written = 0
        }
        // Removing bytes from the front moves all bytes that follow, so written bytes are not removed after every
        // write.
        if written > bytes.count / 2 {
            bytes.removeFirst(written)
            written = 0
        }
    }
}
