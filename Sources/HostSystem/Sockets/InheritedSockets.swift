import Glibc

/// The listening TCP sockets that a service manager has opened for this process; see sd_listen_fds(3).
package enum InheritedSockets {
    /// The first descriptor that a service manager passes on, SD_LISTEN_FDS_START.
    private static let first: Int32 = 3

    /// Returns the sockets, keyed by address, such as `127.0.0.1:8080`. Programs that this process starts do not get them.
    /// Call this once, before other code opens files.
    package static func take() -> [String: Int32] {
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...1024).contains(count) else {
            return [:]
        }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        var sockets: [String: Int32] = [:]
        for descriptor in first..<(first + count) {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, let address = address(of: descriptor) else { continue }
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            sockets[address] = descriptor
        }
        return sockets
    }

    private static func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }

    /// Returns the address of a socket. Nil if it is no TCP socket.
    private static func address(of descriptor: Int32) -> String? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
        let isNamed = withUnsafeMutablePointer(to: &address) { address in
            // sockaddr_storage has room for the addresses of all families.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0,
                    [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                else { return false }
                return getnameinfo(
                    address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                    Int32(NI_NUMERICHOST | NI_NUMERICSERV)) == 0
            }
        }
        guard isNamed else { return nil }
        let (name, number) = (text(host), text(port))
        return name.contains(":") ? "[\(name)]:\(number)" : "\(name):\(number)"
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
