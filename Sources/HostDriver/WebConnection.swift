import Foundation
import Glibc
import Synchronization

/// A response as it was received.
package struct WebResponse: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: String

    package init(status: Int, fields: [(name: String, value: String)], body: String) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A connection to a server on the loopback interface. It knows nothing of the server's code.
package final class WebConnection: Sendable {
    private let descriptor: Int32
    private let unread = Mutex<[UInt8]>([])

    package init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        if result != 0 { throw ChildFailure("cannot connect to port \(port): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw ChildFailure("cannot send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a request, and returns the response.
    package func request(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> WebResponse {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        try send(text + "\r\n" + body)
        return method == "HEAD" ? try await header() : try await response()
    }

    /// Receives a response with its body.
    package func response() async throws -> WebResponse { try await onOwnThread { try self.readResponse() } }

    /// Receives the header of a response.
    package func header() async throws -> WebResponse { try await onOwnThread { try self.readHeader() } }

    /// Receives the next event of a stream.
    package func event() async throws -> (name: String, id: String, data: String) {
        try await onOwnThread {
            while true {
                var lines: [String] = []
                while true {
                    let line = try self.readChunkedLine()
                    if line.isEmpty { break }
                    lines.append(line)
                }
                func value(_ name: String) -> String {
                    lines.filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
                        .joined(separator: "\n")
                }
                let name = value("event")
                if !name.isEmpty { return (name, value("id"), value("data")) }
            }
        }
    }

    /// Waits until the server closes the connection.
    ///
    /// - Returns: The bytes that it has sent before, as text.
    @discardableResult
    package func end() async throws -> String {
        try await onOwnThread {
            while try self.receive() {}
            return String(decoding: self.unread.withLock { $0 }, as: UTF8.self)
        }
    }

    private func readHeader() throws -> WebResponse {
        let line = try readLine()
        guard let status = Int(line.split(separator: " ").dropFirst().first ?? "") else {
            throw ChildFailure("not a status line: \(line)")
        }
        var response = WebResponse(status: status, fields: [], body: "")
        while true {
            let line = try readLine()
            if line.isEmpty { return response }
            let parts = line.split(separator: ":", maxSplits: 1)
            response.fields.append((String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)))
        }
    }

    private func readResponse() throws -> WebResponse {
        var response = try readHeader()
        // It has the length of another response.
        if response.status == 304 { return response }
        let length = response["Content-Length"].flatMap(Int.init) ?? 0
        while unread.withLock({ $0.count }) < length {
            if try !receive() { throw ChildFailure("the body of \(response) is incomplete") }
        }
        response.body = unread.withLock { unread in
            defer { unread.removeFirst(length) }
            return String(decoding: unread[..<length], as: UTF8.self)
        }
        return response
    }

    private let chunk = Mutex(0)

    /// Reads a line of a body in chunks.
    private func readChunkedLine() throws -> String {
        var bytes: [UInt8] = []
        while true {
            if chunk.withLock({ $0 }) == 0 {
                var size = try readLine()
                if size.isEmpty { size = try readLine() }
                guard let number = Int(size, radix: 16), number > 0 else { throw ChildFailure("the stream has ended") }
                chunk.withLock { $0 = number }
            }
            while unread.withLock({ $0.isEmpty }) {
                if try !receive() { throw ChildFailure("the stream has ended") }
            }
            let limit = chunk.withLock { $0 }
            let taken = unread.withLock { unread in
                let end = unread.prefix(limit).firstIndex(of: 10)
                let count = end.map { $0 + 1 } ?? min(limit, unread.count)
                defer { unread.removeFirst(count) }
                return unread[..<count]
            }
            chunk.withLock { $0 -= taken.count }
            bytes += taken
            if taken.last == 10 { return String(decoding: bytes.dropLast(), as: UTF8.self) }
        }
    }

    private func readLine() throws -> String {
        while true {
            let line = unread.withLock { unread -> String? in
                guard let end = unread.firstIndex(of: 10) else { return nil }
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end].filter { $0 != 13 }, as: UTF8.self)
            }
            if let line { return line }
            if try !receive() { throw ChildFailure("the connection has ended") }
        }
    }

    /// Receives bytes. Returns false at the end of the connection.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(Patience.reaction / .milliseconds(1))) != 0 else {
            throw ChildFailure("nothing was received in time")
        }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { return true }
        if count <= 0 { return false }
        unread.withLock { $0 += buffer[..<count] }
        return true
    }
}
