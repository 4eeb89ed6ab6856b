import Foundation
import Glibc
import HostDriver

/// Sends requests of the WebDriver protocol, each over a connection of its own.
struct DriverSocket: Sendable {
    let port: UInt16

    /// Sends a request and returns the body of the response. Throws an error if nothing arrives for five minutes.
    func exchange(_ method: String, _ path: String, _ body: Data) async throws -> Data {
        var request = Data(
            """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """.utf8)
        request += body
        let bytes = [UInt8](request)
        return try await onOwnThread { try blockingExchange(bytes) }
    }

    private func blockingExchange(_ request: [UInt8]) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        // The C function takes options of any type, by their address and size.
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7F00_0001).bigEndian)
        // The C function takes any kind of address by a pointer to its common beginning.
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { throw failure("cannot connect to the driver") }
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno != EINTR { throw failure("cannot send to the driver") }
            rest = rest.dropFirst(max(count, 0))
        }
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure("cannot read from the driver") }
            if count == 0 { break }
            answer += buffer.prefix(count)
            if let body = try body(of: answer) { return body }
        }
        throw ChildFailure("the driver has closed the connection: \(String(decoding: answer, as: UTF8.self))")
    }

    /// Returns the body of a response. Nil if more bytes are needed.
    private func body(of answer: [UInt8]) throws -> Data? {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
        guard let length = head.firstMatch(of: /\r\ncontent-length: *([0-9]+)/).flatMap({ Int($0.1) }) else {
            throw ChildFailure("a response without a length: \(head)")
        }
        return answer.count - end.upperBound < length ? nil : Data(answer[end.upperBound...].prefix(length))
    }

    private func failure(_ text: String) -> ChildFailure {
        ChildFailure("\(text): \(String(cString: strerror(errno)))")
    }
}
