import HostSystem

/// Lines that wait to be read by the other end of a connection.
struct PendingOutput {
    private var bytes: [UInt8] = []
    private var written = 0

    /// In bytes.
    var count: Int { bytes.count - written }

    mutating func add(_ line: [UInt8]) {
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Writes as much as there is room for.
    ///
    /// - Returns: Why nothing more can ever be written, as errno has it.
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
        // Not after each call: moving what is left takes as long as what is left is.
        if written > bytes.count / 2 {
            bytes.removeFirst(written)
            written = 0
        }
    }
}
