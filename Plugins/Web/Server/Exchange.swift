import CMicroHTTPD
import Glibc
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
        /// The response instead of that to the body, such as to one that is too large.
        var refusal: Response?
        /// The leases of the reception and of the bytes of the body.
        var reception: Lease?
        var bytes: Lease?
        /// The lease of the response that is being made or sent.
        var response: Lease?
        var connection: Handle?
        /// The client. Nil before the header was received.
        var client: Client?
        var stream: EventStream?

        mutating func takeLeases() -> [Lease?] {
            defer { (reception, bytes, response) = (nil, nil, nil) }
            return [reception, bytes, response]
        }
    }

    /// The path and query as the client has sent them.
    private let target: String
    /// The number of bytes of the target, also if they are not UTF-8.
    private let targetSize: Int
    private let state = Mutex(State())

    /// The maximum size of a body in bytes.
    private static let bodyLimit = 1 << 20
    /// The maximum size of a body that is received and refused. A browser shows no response to a larger one.
    private static let receiptLimit = 1 << 24

    /// The maximum number of arguments of a query. No route has as many parameters.
    private static let argumentLimit = 200

    /// Begins an exchange.
    ///
    /// - Parameter target: The target that libmicrohttpd has read.
    init(target: UnsafePointer<CChar>) { (self.target, targetSize) = (String(cString: target), strlen(target)) }

    /// The client. Nil before the header was received.
    var client: Client? { state.withLock { $0.client } }

    /// Continues the exchange.
    ///
    /// - Parameters:
    ///   - needsHost: True if the version of the protocol demands the field `Host`.
    ///   - upload: The next part of the body.
    ///   - size: The number of its bytes. Set to 0 when they were taken.
    /// - Returns: The phase of the connection. Nil to close the connection.
    func proceed(
        _ connection: OpaquePointer, _ method: String, needsHost: Bool, _ upload: UnsafePointer<CChar>?,
        _ size: UnsafeMutablePointer<Int>, for server: Server
    ) -> Connections.Phase? {
        let handle = Handle(connection: connection)
        let phase = state.withLock { state in
            state.connection = handle
            return state.phase
        }
        switch phase {
        case .header: return beginBody(connection, method, needsHost: needsHost, for: server)
        case .body(let isKept) where size.pointee > 0:
            let bytes = UnsafeRawBufferPointer(start: upload, count: size.pointee)
            size.pointee = 0
            return receive(bytes, isKept: isKept)
        case .body: return answer(connection, method, for: server)
        case .ready(let response):
            return send(response, connection, for: server)
        // libmicrohttpd does not call while the connection is suspended, nor after the response.
        case .suspended, .over: return nil
        }
    }

    private func beginBody(
        _ connection: OpaquePointer, _ method: String, needsHost: Bool, for server: Server
    ) -> Connections.Phase? {
        let framing = Framing(of: connection, method, target, targetSize: targetSize, needsHost: needsHost)
        if let response = framing.refusal {
            state.withLock { $0.phase = .over }
            return refuse(response, because: framing.reason, connection, for: server)
        }
        if cmicrohttpd_header_size(connection) > Server.headerLimit {
            state.withLock { $0.phase = .over }
            return refuse(.headerTooLarge, because: .limit, connection, for: server)
        }
        let length = MHD_lookup_connection_value(connection, MHD_ValueKind.HEADER_KIND, "Content-Length")
        // libmicrohttpd has checked that the text is a number.
        if let length, Int(String(cString: length)).map({ $0 > Self.receiptLimit }) ?? true {
            state.withLock { $0.phase = .over }
            return refuse(.tooLarge, because: .limit, connection, for: server)
        }
        if target.utf8.count(where: { $0 == UInt8(ascii: "&") }) >= Self.argumentLimit {
            state.withLock { $0.phase = .over }
            return refuse(.tooManyArguments, because: .limit, connection, for: server)
        }
        let header = request(connection, method)
        let client = server.client(of: header)
        let isKept = server.admits(header) && receive(from: client, in: server.pools)
        state.withLock { ($0.phase, $0.client) = (.body(isKept: isKept), client) }
        return .receiving
    }

    /// Prepares the reception of a body.
    ///
    /// - Returns: False if the client is sending too many already. The body is then received and refused.
    private func receive(from client: Client, in pools: Pools) -> Bool {
        guard let reception = pools.receptions.lease(1, to: client, for: nil),
            let bytes = pools.bodies.lease(0, to: client, for: self)
        else {
            state.withLock { $0.refusal = .full }
            return false
        }
        state.withLock { ($0.reception, $0.bytes) = (reception, bytes) }
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, isKept: Bool) -> Connections.Phase {
        let (lease, received, isRefused) = state.withLock { state in
            state.received += bytes.count
            return (state.bytes, state.received, state.refusal != nil)
        }
        // Each part of a body that was refused only has to be received.
        if isRefused { return .receiving }
        if received > Self.bodyLimit {
            drop(for: .tooLarge)
        } else if isKept, !(lease?.grow(by: bytes.count) ?? false) {
            drop(for: .full)
        } else if isKept {
            state.withLock { $0.body += bytes }
        }
        return .receiving
    }

    /// Forgets the body. The rest is received, because a browser reads no response before it has sent everything.
    private func drop(for response: Response) {
        let lease = state.withLock { state in
            (state.refusal, state.phase, state.body) = (state.refusal ?? response, .body(isKept: false), [])
            defer { state.bytes = nil }
            return state.bytes
        }
        lease?.end()
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
        let refusal = state.withLock { state in
            (request.body, request.lease, state.body) = (state.body, state.bytes, [])
            defer { (state.reception, state.bytes) = (nil, nil) }
            return (state.refusal, state.reception)
        }
        refusal.1?.end()
        if let response = refusal.0 {
            state.withLock { $0.phase = .over }
            return refuse(response, because: .limit, connection, for: server)
        }
        // The form needs its bytes until it is executed.
        request.lease?.setHolder(nil)
        let client = server.client(of: request)
        // No module works for a client that does not read what it gets.
        guard !server.pools.unsent.isUsedUp(by: client),
            let lease = server.pools.answers.lease(1, to: client, for: self)
        else {
            state.withLock { $0.phase = .over }
            return refuse(.full, because: .limit, connection, for: server)
        }
        state.withLock { ($0.client, $0.response) = (client, lease) }
        return reply(server.answer(request), hasBody: method != "HEAD", connection, for: server)
    }

    private func reply(
        _ reply: Reply, hasBody: Bool, _ connection: OpaquePointer, for server: Server
    ) -> Connections.Phase? {
        switch reply {
        case .now(let response): return send(response, connection, for: server)
        case .stream(let stream):
            // A stream has a lease of its own.
            let lease = state.withLock { state in
                state.phase = .over
                defer { state.response = nil }
                return state.response
            }
            lease?.end()
            guard server.add(stream) else {
                stream.detach()
                return Self.queue(.stopping, connection, for: server)
            }
            stream.attach(Handle(connection: connection))
            state.withLock { $0.stream = stream }
            return Self.queue(Response(streaming: stream, hasBody: hasBody), connection, for: server) == nil
                ? nil : .answering
        case .later(let work):
            guard server.wait(for: self) else { return send(.stopping, connection, for: server) }
            let handle = Handle(connection: connection)
            let early = state.withLock { state -> Response? in
                // A server that stops has answered before the connection was suspended.
                if case .ready(let response) = state.phase { return response }
                state.phase = .suspended
                // The lock is held, so that no other thread resumes the connection before it is suspended.
                handle.suspend()
                return nil
            }
            if let early { return send(early, connection, for: server) }
            Task {
                finish(with: await work())
                server.stopWaiting(for: self)
            }
            return .answering
        }
    }

    /// Sends a response, if the client reads what it gets.
    private func send(_ response: Response, _ connection: OpaquePointer, for server: Server) -> Connections.Phase? {
        let (client, answer) = state.withLock { state in
            state.phase = .over
            defer { state.response = nil }
            return (state.client, state.response)
        }
        answer?.end()
        guard let client, response.size > 0 else { return Self.queue(response, connection, for: server) }
        guard let unsent = server.pools.unsent.lease(response.size, to: client, for: self) else {
            return refuse(.full, because: .limit, connection, for: server)
        }
        state.withLock { $0.response = unsent }
        return Self.queue(response, connection, for: server)
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
    func end() -> EventStream? {
        let (stream, leases) = state.withLock { state in
            (state.phase, state.connection, state.body) = (.over, nil, [])
            return (state.stream, state.takeLeases())
        }
        leases.forEach { $0?.end() }
        stream?.detach()
        return stream
    }

    private func refuse(
        _ response: Response, because reason: Refusals.Reason, _ connection: OpaquePointer, for server: Server
    ) -> Connections.Phase? {
        server.connections.noteRefusal(reason)
        return Self.queue(response, connection, for: server)
    }

    private static func queue(
        _ response: Response, _ connection: OpaquePointer, for server: Server
    ) -> Connections.Phase? {
        if server.isStrict { response.demandTLS() }
        return MHD_queue_response(connection, response.status, response.handle) == MHD_Result.YES ? .sending : nil
    }
}

extension Exchange: LeaseHolder {
    /// Refuses the request, or ends a response that the client does not read.
    func lose() {
        switch state.withLock({ $0.phase }) {
        case .header, .ready: break
        case .body(let isKept): if isKept { drop(for: .full) }
        case .suspended: finish(with: .full)
        // The lock is held, so that the descriptor is open.
        case .over: state.withLock { $0.connection?.cut() }
        }
    }
}

extension Response {
    /// The response to a query with too many arguments.
    fileprivate static var tooManyArguments: Response {
        Response(
            problem: "The address is too long", "A query may have 200 arguments.", status: 414,
            [("Connection", "close")])
    }

    /// The response to a header that is too large.
    fileprivate static var headerTooLarge: Response {
        Response(
            problem: "The request is too long", "A header may have 16 KiB.", status: 431, [("Connection", "close")])
    }

    /// The response to a body that is too large.
    fileprivate static var tooLarge: Response {
        Response(problem: "The form is too large", "A form may have 1 MiB.", status: 413)
    }

    /// The response to a client that uses more than its share, or to one that must give way to others.
    static var full: Response {
        Response(
            problem: "Please try again",
            "This browser has too many requests, forms or unread pages, or the server has too many of all browsers.",
            status: 503, [("Retry-After", "1")])
    }

    /// The response to requests of a server that stops. The next version of the module answers the next attempt.
    static var stopping: Response {
        Response(
            problem: "Please try again", "The server is being replaced, or is shutting down.", status: 503,
            [("Retry-After", "1"), ("Connection", "close")])
    }
}
