import Glibc

/// Connects to a listening TCP socket of this process, and waits until its program accepts the connection.
///
/// The system completes a connection before the program accepts it. So only the queue of the socket shows that its program
/// answers, whatever protocol it speaks.
///
/// - Returns: False if nobody accepts the connection before the deadline.
func isAccepting(_ listening: Int32, until deadline: ContinuousClock.Instant) async -> Bool {
    guard let client = connection(to: listening) else { return false }
    defer { close(client) }
    repeat {
        guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return false }
        if waitingConnections(at: listening) == 0 { return true }
    } while .now < deadline
    return false
}

private func connection(to listening: Int32) -> Int32? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = withUnsafeMutablePointer(to: &address) { address in
        // sockaddr_storage has room for the addresses of all families.
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
            guard getsockname(listening, address, &length) == 0 else { return -1 }
            let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = StandardDescriptors.avoid(socket(Int32(address.pointee.sa_family), flags, 0))
            // An unspecified address, such as 0.0.0.0, stands for this machine.
            if descriptor < 0 || connect(descriptor, address, length) == 0 || errno == EINPROGRESS { return descriptor }
            close(descriptor)
            return -1
        }
    }
    return descriptor < 0 ? nil : descriptor
}

/// Returns the number of connections that a listening socket has not accepted yet.
private func waitingConnections(at listening: Int32) -> UInt32? {
    // C's struct tcp_info, which the Glibc module does not export. The member `tcpi_unacked` of a listening socket, at byte
    // 24, is the length of its queue.
    var info = [UInt32](repeating: 0, count: 64)
    var size = socklen_t(info.count * MemoryLayout<UInt32>.size)
    guard getsockopt(listening, Int32(IPPROTO_TCP), 11, &info, &size) == 0, size >= 28 else { return nil }
    return info[6]
}
