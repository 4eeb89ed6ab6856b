import Foundation
import Glibc
import Synchronization

/// A client of a serving host. It shares no code with the host, so it tests the protocol independently.
public final class TestClient: Sendable {
    private struct State {
        var lastID = 0
        /// The received lines that no call has returned yet.
        var lines: [String] = []
        var unread: [UInt8] = []
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    package static func pair() throws -> (own: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildFailure("cannot create a socket pair: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    public convenience init(connectingTo path: String) throws {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let number = errno
        self.init(descriptor)
        if result != 0 { throw ChildFailure("cannot connect to \(path): \(String(cString: strerror(number)))") }
    }

    deinit { close(descriptor) }

    public func send(_ line: String) throws {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw ChildFailure("cannot send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a request without waiting for the response, and returns the request's ID.
    @discardableResult
    public func begin(_ method: String, _ parameters: String = "{}") throws -> Int {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
        return id
    }

    /// Waits for the response to the request with the given ID, and returns the response.
    public func answer(to id: Int) async throws -> String {
        try await line { $0.contains(#""id":\#(id),"jsonrpc":"2.0""#) && !$0.contains(#""method":"#) }
    }

    /// Sends a request and returns its response.
    public func call(_ method: String, _ parameters: String = "{}") async throws -> String {
        try await answer(to: begin(method, parameters))
    }

    /// Returns the process IDs of the workers, as reported in the host's statistics.
    public func workers() async throws -> [Int] {
        let answer = try JSONDecoder().decode(Statistics.self, from: Data(try await call("statistics").utf8))
        return answer.result.compactMap(\.process)
    }

    private struct Statistics: Decodable {
        struct Module: Decodable { var process: Int? }
        var result: [Module]
    }

    /// Repeats a request until its response contains a string, and returns that response. By default, the request opens
    /// the route of ``ModuleFixture/version(_:making:health:event:stop:)``.
    ///
    /// - Parameters:
    ///   - method: The method to call.
    ///   - parameters: The parameters as a JSON object.
    ///   - text: The string to look for in the response.
    ///   - isThere: False to wait until the response no longer contains the string.
    /// - Throws: ``ChildFailure`` with the last response if the time limit is exceeded.
    @discardableResult
    public func wait(
        _ method: String = "open", _ parameters: String = #"{"route":"version"}"#, for text: String,
        isThere: Bool = true
    ) async throws -> String {
        var answer = ""
        let isMet = try await eventually {
            answer = try await call(method, parameters)
            return answer.contains(text) == isThere
        }
        if isMet { return answer }
        let verb = isThere ? "does not contain" : "still contains"
        throw ChildFailure("the response to \(method) \(parameters) \(verb) \(text): \(answer)")
    }

    /// Waits for a line from the host, and returns the first line that no call has returned yet.
    package func line() async throws -> String { try await line { _ in true } }

    /// Waits for a line that contains a string, and returns the first such line that no call has returned yet.
    public func line(with text: String) async throws -> String { try await line { $0.contains(text) } }

    /// Shuts down the sending side of the connection. The client can still receive lines.
    public func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Shuts down both sides of the connection, as if the client's process had been killed.
    public func vanish() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits until the host closes the connection.
    ///
    /// - Throws: ``ChildFailure`` if the host sends another line or does not close the connection in time.
    public func end() async throws {
        do {
            let line = try await line()
            throw ChildFailure("received a line, expected the end of the connection: \(line)")
        } catch let end as End {
            if end.isLate { throw ChildFailure("the connection did not end") }
        }
    }

    private struct End: Error, CustomStringConvertible {
        var isLate: Bool
        var others: [String]
        var description: String {
            "\(isLate ? "the expected line did not arrive" : "the connection has ended"); other lines: \(others)"
        }
    }

    private func line(_ isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await onOwnThread { try self.readLine(isWanted) }
    }

    private func readLine(_ isWanted: (String) -> Bool) throws -> String {
        if let line = try nextLine(within: Patience.limit, where: isWanted) { return line }
        throw End(isLate: true, others: state.withLock { $0.lines })
    }

    /// Returns the first matching line that no call has returned yet, or nil if no such line arrives within the limit.
    /// This method blocks the thread.
    ///
    /// - Throws: An error if the host has closed the connection.
    package func nextLine(
        within limit: Duration, where isWanted: (String) -> Bool = { _ in true }
    ) throws -> String? {
        while true {
            let wanted = state.withLock { $0.lines }.first(where: isWanted)
            let found = state.withLock { state in
                wanted.flatMap(state.lines.firstIndex(of:)).map { state.lines.remove(at: $0) }
            }
            if let found { return found }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let result = poll(&ready, 1, Int32(limit / .milliseconds(1)))
            if result < 0, errno == EINTR { continue }
            if result == 0 { return nil }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw End(isLate: false, others: state.withLock { $0.lines }) }
            state.withLock { state in
                state.unread += buffer[..<count]
                while let end = state.unread.firstIndex(of: 10) {
                    state.lines.append(String(decoding: state.unread[..<end], as: UTF8.self))
                    state.unread.removeFirst(end + 1)
                }
            }
        }
    }
}
