import Glibc

/// What one read of a descriptor has brought.
package enum SystemRead: Sendable, Equatable {
    /// One byte at least.
    case bytes([UInt8])
    /// Nothing will come any more.
    case end
    /// `EAGAIN` where there is nothing now, and the descriptor is set not to wait.
    case failed(errno: Int32)

    /// In bytes: what a pipe holds, mostly.
    private static let limit = 1 << 16

    /// Reads once, and anew when a signal has come between.
    package init(of descriptor: Int32) {
        var failure: Int32 = 0
        var bytes: [UInt8]
        repeat {
            bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
                // The system call writes into the buffer, and says how much.
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                (failure, count) = (result < 0 ? errno : 0, max(0, result))
            }
        } while failure == EINTR
        self = failure != 0 ? .failed(errno: failure) : bytes.isEmpty ? .end : .bytes(bytes)
    }
}
