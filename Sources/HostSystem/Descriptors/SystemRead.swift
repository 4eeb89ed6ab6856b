import Glibc

/// The result of one read from a descriptor.
package enum SystemRead: Sendable, Equatable {
    /// The read succeeded and returned these bytes. The array contains at least one byte.
    case bytes([UInt8])
    case end
    /// The read failed with this error number. The number is `EAGAIN` if the descriptor is non-blocking and no input is
    /// available.
    case failed(errno: Int32)

    /// The default for the maximum number of bytes per read, which is the default capacity of a pipe.
    package static let limit = 1 << 16

    /// Creates a result by reading once from a descriptor. If a signal interrupts the read, retries it.
    package init(of descriptor: Int32, limit: Int = Self.limit) {
        var failure: Int32 = 0
        var bytes: [UInt8]
        repeat {
            bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                (failure, count) = (result < 0 ? errno : 0, max(0, result))
            }
        } while failure == EINTR
        self = failure != 0 ? .failed(errno: failure) : bytes.isEmpty ? .end : .bytes(bytes)
    }
}
