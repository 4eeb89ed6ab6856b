import Glibc
import ViperKit

/// An IP address and a port to listen at, such as `127.0.0.1:8080` or `[::1]:8080`.
struct ListeningAddress {
    private let text: String
    private let host: String
    private let port: UInt16

    /// Creates an address by parsing its text.
    ///
    /// - Throws: ``ViperError/Code/addressInvalid``.
    init(_ text: String) throws(ViperError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Self.invalid(text)
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
        self.host = host == "localhost" ? "127.0.0.1" : String(isBracketed ? host.dropFirst().dropLast() : host)
        guard self.host.contains(":") == isBracketed, !self.host.isEmpty else { throw Self.invalid(text) }
        (self.text, self.port) = (text, port)
    }

    private static func invalid(_ text: String) -> ViperError {
        ViperError(
            .addressInvalid, operation: "cannot listen at", subject: text, cause: "it is not an IP address and a port",
            fix: "write an address such as 127.0.0.1:8080 or [::1]:8080")
    }

    /// The address in its shortest form, which is the same for all texts that mean it.
    var canonical: String {
        get throws(ViperError) {
            let found = try find()
            defer { freeaddrinfo(found) }
            return Self.text(of: found.pointee.ai_addr, found.pointee.ai_addrlen) ?? text
        }
    }

    /// Returns the text of a socket's address, such as `127.0.0.1:8080` or `[::1]:8080`. Nil if it is not an IP address.
    static func text(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
        var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
        let flags = Int32(NI_NUMERICHOST | NI_NUMERICSERV)
        guard
            getnameinfo(address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), flags) == 0
        else { return nil }
        let parts = [host, port].map { part in
            String(decoding: part.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return (parts[0].contains(":") ? "[\(parts[0])]" : parts[0]) + ":" + parts[1]
    }

    /// Returns the address in the form of the system's calls, which the caller must free with `freeaddrinfo`.
    private func find() throws(ViperError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { throw Self.invalid(text) }
        return found
    }

    /// Opens a socket that listens at the address, and does not block.
    ///
    /// - Returns: The descriptor, which the caller must close, and the address with the number of its port.
    func listen() throws(ViperError) -> (descriptor: Int32, address: String) {
        let address = try find()
        defer { freeaddrinfo(address) }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = StandardDescriptors.avoid(socket(address.pointee.ai_family, flags, 0))
        guard descriptor >= 0 else { throw failure(errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        // An IPv6 socket would otherwise also listen at IPv4 addresses.
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else {
            let number = errno
            close(descriptor)
            throw failure(number)
        }
        let host = host.contains(":") ? "[\(host)]" : host
        return (descriptor, "\(host):\(Self.port(of: descriptor) ?? port)")
    }

    private func failure(_ number: Int32) -> ViperError {
        ViperError(
            .listeningFailed, operation: "cannot listen at", subject: text, cause: systemReason(number),
            fix: number == EADDRINUSE ? "choose another port, or stop the program that listens there" : nil)
    }

    /// Returns the port that the system has chosen.
    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        // The ports of IPv4 and IPv6 addresses have the same offset, and sockaddr_in6 has room for both.
        let result = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin6_port) : nil
    }
}
