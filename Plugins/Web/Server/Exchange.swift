import CMicroHTTPD
import Synchronization

/// A request and its response, on a connection of libmicrohttpd.
///
/// libmicrohttpd calls ``proceed(_:_:_:_:_:)`` on its thread: once after the header, for each part of the body, after the
/// body, and again after the connection was resumed.
final class Exchange: Sendable {
    private enum Phase {
        case header
        /// The body arrives, and is kept if the server admits the request.
        case body(isKept: Bool)
        case suspended
        /// The response is ready, and libmicrohttpd has not taken it yet.
        case ready(Response)
        case over
    }

    private struct State {
        var phase = Phase.header
        var body: [UInt8] = []
        /// The number of bytes that were received, also if the body does not contain them.
        var received = 0
        /// True if this body, or all bodies together, are too large.
        var isTooLarge = false
        var connection: Handle?
        var stream: EventStream?

        mutating func takeBody() -> [UInt8] {
            defer { body = [] }
            return body
        }
    }

    /// The path and query as the client has sent them.
    private let target: String
    private let state = Mutex(State())

    /// The maximum size of a body in bytes.
    private static let bodyLimit = 1 << 20
    /// The maximum size of a body that is received and refused. A browser shows no response to a larger one.
    private static let receiptLimit = 1 << 24

    init(target: String) { self.target = target }

    /// Continues the exchange.
    ///
    /// - Parameters:
    ///   - upload: The next part of the body.
    ///   - size: The number of its bytes. Set to 0 when they were taken.
    /// - Returns: The phase of the connection. Nil to close the connection.
    func proceed(
        _ connection: OpaquePointer, _ method: String, _ upload: UnsafePointer<CChar>?,
        _ size: UnsafeMutablePointer<Int>, for server: Server
    ) -> Connections.Phase? {
        let handle = Handle(connection: connection)
        let phase = state.withLock { state in
            state.connection = handle
            return state.phase
        }
        switch phase {
        case .header: return beginBody(connection, method, for: server)
        case .body(let isKept) where size.pointee > 0:
            let bytes = UnsafeRawBufferPointer(start: upload, count: size.pointee)
            size.pointee = 0
            return receive(bytes, isKept: isKept, for: server)
        case .body: return answer(connection, method, for: server)
        case .ready(let response):
            state.withLock { $0.phase = .over }
            return Self.queue(response, connection)
        // libmicrohttpd does not call while the connection is suspended, nor after the response.
        case .suspended, .over: return nil
        }
    }

    private func beginBody(_ connection: OpaquePointer, _ method: String, for server: Server) -> Connections.Phase? {
        if let response = Framing(of: connection).refusal {
            state.withLock { $0.phase = .over }
            return refuse(response, because: .framing, connection, for: server)
        }
        let length = MHD_lookup_connection_value(connection, MHD_ValueKind.HEADER_KIND, "Content-Length")
        // libmicrohttpd has checked that the text is a number.
        if let length, Int(String(cString: length)).map({ $0 > Self.receiptLimit }) ?? true {
            state.withLock { $0.phase = .over }
            return refuse(.tooLarge, because: .limit, connection, for: server)
        }
        let isKept = server.admits(request(connection, method))
        state.withLock { $0.phase = .body(isKept: isKept) }
        return .receiving
    }

    private func receive(
        _ bytes: UnsafeRawBufferPointer, isKept: Bool, for server: Server
    ) -> Connections.Phase {
        let counted = isKept && server.count(bytes.count) ? bytes.count : 0
        let dropped = state.withLock { state in
            state.received += bytes.count
            if state.received > Self.bodyLimit || isKept && counted < bytes.count {
                (state.isTooLarge, state.phase) = (true, .body(isKept: false))
                return state.takeBody().count + counted
            }
            if isKept { state.body += bytes }
            return 0
        }
        _ = server.count(-dropped)
        return .receiving
    }

    /// Returns the request without its body.
    private func request(_ connection: OpaquePointer, _ method: String) -> Request {
        var request = Request(method: method, target: target)
        for field in Request.Field.allCases {
            if let value = MHD_lookup_connection_value(connection, MHD_ValueKind.HEADER_KIND, field.rawValue) {
                request.fields[field] = String(cString: value)
            }
        }
        request.splitTarget()
        return request
    }

    private func answer(
        _ connection: OpaquePointer, _ method: String, for server: Server
    ) -> Connections.Phase? {
        var request = request(connection, method)
        let isTooLarge = state.withLock { state in
            request.body = state.takeBody()
            return state.isTooLarge
        }
        _ = server.count(-request.body.count)
        if isTooLarge {
            state.withLock { $0.phase = .over }
            return refuse(.tooLarge, because: .limit, connection, for: server)
        }
        switch server.answer(request) {
        case .now(let response):
            state.withLock { $0.phase = .over }
            return Self.queue(response, connection)
        case .stream(let stream):
            guard server.add(stream) else { return Self.queue(.stopping, connection) }
            stream.attach(Handle(connection: connection))
            state.withLock { ($0.phase, $0.stream) = (.over, stream) }
            return Self.queue(Response(streaming: stream), connection) == nil ? nil : .answering
        case .later(let work):
            guard server.wait(for: self) else { return Self.queue(.stopping, connection) }
            let handle = Handle(connection: connection)
            let early = state.withLock { state -> Response? in
                // A server that stops has answered before the connection was suspended.
                if case .ready(let response) = state.phase {
                    state.phase = .over
                    return response
                }
                state.phase = .suspended
                // The lock is held, so that no other thread resumes the connection before it is suspended.
                handle.suspend()
                return nil
            }
            if let early { return Self.queue(early, connection) }
            Task {
                finish(with: await work())
                server.stopWaiting(for: self)
            }
            return .answering
        }
    }

    /// Sets the response of a connection that is suspended, or is about to be. Does nothing if it has one.
    func finish(with response: Response) {
        state.withLock { state in
            switch state.phase {
            case .body: state.phase = .ready(response)
            case .suspended:
                state.phase = .ready(response)
                state.connection?.resume()
            case .header, .ready, .over: break
            }
        }
    }

    /// Notes that the exchange has ended.
    ///
    /// - Returns: The stream that was its response, if any.
    func end(for server: Server) -> EventStream? {
        let (stream, body) = state.withLock { state in
            (state.phase, state.connection) = (.over, nil)
            return (state.stream, state.takeBody())
        }
        _ = server.count(-body.count)
        stream?.detach()
        return stream
    }

    private func refuse(
        _ response: Response, because reason: Refusals.Reason, _ connection: OpaquePointer, for server: Server
    ) -> Connections.Phase? {
        server.connections.noteRefusal(reason)
        return Self.queue(response, connection)
    }

    private static func queue(_ response: Response, _ connection: OpaquePointer) -> Connections.Phase? {
        MHD_queue_response(connection, response.status, response.handle) == MHD_Result.YES ? .sending : nil
    }
}

extension Response {
    /// The response to a body that is too large.
    fileprivate static var tooLarge: Response {
        Response(problem: "The form is too large", "A form may have 1 MiB.", status: 413)
    }

    /// The response to requests of a server that stops. The next version of the module answers the next attempt.
    static var stopping: Response {
        Response(
            problem: "Please try again", "The server is being replaced, or is shutting down.", status: 503,
            [("Retry-After", "1"), ("Connection", "close")])
    }
}
