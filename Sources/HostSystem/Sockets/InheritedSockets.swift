import Glibc

/// The listening TCP sockets that a service manager has opened for this process; see sd_listen_fds(3).
package enum InheritedSockets {
    /// The first descriptor that a service manager passes on, SD_LISTEN_FDS_START.
    private static let first: Int32 = 3

    /// Returns the sockets, keyed by address, such as `127.0.0.1:8080`, and the number of other descriptors, which no module
    /// can use. Closes these, and sets close-on-exec. Call this once, before other code opens files.
    package static func take() -> (sockets: [String: Int32], closed: Int) {
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...1024).contains(count) else {
            return ([:], 0)
        }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        var (sockets, closed): ([String: Int32], Int) = ([:], 0)
        for descriptor in first..<(first + count) {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { continue }
            // Clients would connect to an unused socket and wait.
            guard isListening(descriptor), let address = address(of: descriptor), sockets[address] == nil else {
                close(descriptor)
                closed += 1
                continue
            }
            CloseOnFork.insert(descriptor)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            sockets[address] = descriptor
        }
        return (sockets, closed)
    }

    private static func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }

    private static func isListening(_ descriptor: Int32) -> Bool {
        option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN, of: descriptor) == 1
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var (value, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Returns the address of a socket. Nil if the descriptor is not a TCP socket.
    private static func address(of descriptor: Int32) -> String? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { address in
            // sockaddr_storage has room for the addresses of all families.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0,
                    [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                else { return nil }
                return ListeningAddress.text(of: address, length)
            }
        }
    }
}
