import Glibc

/// Writes text unchanged. If the receiver cannot accept more data, waits until it can.
///
/// - Returns: The error number, or nil if the whole text was written.
package func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes -> Int32? in
        var written = 0
        while written < bytes.count {
            // The buffer is not empty, so it has a base address.
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Another process that shares the output may set O_NONBLOCK.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
                continue
            }
            if count < 0 { return errno }
            written += count
        }
        return nil
    }
}
