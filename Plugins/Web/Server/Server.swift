import CMicroHTTPD
import Glibc
import Synchronization
import ViperKit

/// An HTTP server on libmicrohttpd, with one thread.
///
/// The class is `@unchecked Sendable`, because it shares the daemon's pointer between threads. libmicrohttpd allows every
/// call on it from any thread, except after ``stop()``, which is called once.
final class Server: @unchecked Sendable {
    /// The certificate chain and its private key, as PEM text.
    struct Identity: Sendable {
        var certificate: String
        var key: String
    }

    private struct State {
        var isStopping = false
        /// The exchanges whose connections are suspended.
        var waiting: [ObjectIdentifier: Exchange] = [:]
        var streams: [ObjectIdentifier: EventStream] = [:]
        /// The number of requests that have not been answered completely.
        var running = 0
        /// The listening socket after ``quiesce()``.
        var socket: Int32?
    }

    private let handler: @Sendable (Request) -> Reply
    /// Returns true if the body of a request with this header is kept.
    let admits: @Sendable (Request) -> Bool
    private let known: @Sendable (Request) -> Client?
    let pools: Pools
    /// True if responses ask browsers to use TLS only.
    let isStrict: Bool
    let connections: Connections
    private let state = Mutex(State())
    /// Set by the initializer.
    private var daemon: OpaquePointer?

    /// The maximum size of a request's header in bytes.
    static let headerLimit = 16 << 10
    /// The memory of a connection in bytes. It contains the header, a record of each field and each cookie, and the header of
    /// the response. If it is used up, libmicrohttpd closes the connection, mostly without a response.
    private static let memoryLimit = 4 * headerLimit
    /// The size of the system's buffer of a connection in bytes. It is enough for 1 MiB in a second over 100 ms.
    private static let sendBuffer: Int32 = 128 << 10
    /// The versions, ciphers and key exchanges of TLS, as GnuTLS names them. Its usual ones include the versions 1.0 and 1.1,
    /// the exchange of keys by RSA, which reveals earlier traffic to those who get the key, and ciphers in CBC mode.
    private static let priorities =
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM"

    /// Starts a server on a listening socket.
    ///
    /// - Parameters:
    ///   - descriptor: The socket. The server uses a duplicate.
    ///   - identity: The certificate for TLS. Nil for plain HTTP.
    ///   - isStrict: True to tell browsers to use TLS only.
    ///   - pools: The bounds that the clients share, for ``connectionLimit`` connections.
    ///   - admits: A closure that judges a request by its header. If it returns false, the body is not kept. All
    ///     closures are called on the server's thread, and must not block.
    ///   - client: A closure that returns the client of a request. Nil if it belongs to no session.
    ///   - handler: A closure that answers a request.
    /// - Throws: `server-failed` if the server cannot start.
    init(
        listeningOn descriptor: Int32, identity: Identity?, isStrict: Bool, pools: Pools,
        admits: @escaping @Sendable (Request) -> Bool, client: @escaping @Sendable (Request) -> Client?,
        handler: @escaping @Sendable (Request) -> Reply
    ) throws(ViperError) {
        (self.handler, self.admits, known, self.pools) = (handler, admits, client, pools)
        self.isStrict = isStrict
        let limit = Self.connectionLimit
        connections = Connections(limit: limit * 9 / 10)
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw Self.failure(String(cString: strerror(errno))) }
        // libmicrohttpd keeps a pointer to this object until `stop()`, which its owner calls before it releases the object.
        let itself = Unmanaged.passUnretained(self).toOpaque()
        var flags = MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_EPOLL.rawValue
        flags |= MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        var options: [any CVarArg] = [
            MHD_OPTION.EXTERNAL_LOGGER.rawValue, Self.pointer(Self.log), OpaquePointer(itself),
            MHD_OPTION.LISTEN_SOCKET.rawValue, own, MHD_OPTION.CONNECTION_LIMIT.rawValue, UInt32(limit),
            MHD_OPTION.CONNECTION_TIMEOUT.rawValue, UInt32(30), MHD_OPTION.CONNECTION_MEMORY_LIMIT.rawValue,
            Self.memoryLimit, MHD_OPTION.STRICT_FOR_CLIENT.rawValue, Framing.strictness,
            MHD_OPTION.URI_LOG_CALLBACK.rawValue, Self.pointer(Self.begin), OpaquePointer(itself),
            MHD_OPTION.NOTIFY_COMPLETED.rawValue, Self.pointer(Self.completed), OpaquePointer(itself),
            MHD_OPTION.NOTIFY_CONNECTION.rawValue, Self.pointer(Self.notify), OpaquePointer(itself),
        ]
        // libmicrohttpd copies no text before it has started.
        let texts = identity.map { [strdup($0.certificate), strdup($0.key), strdup(Self.priorities)] } ?? []
        defer { for text in texts { free(text) } }
        if identity != nil {
            let copies = texts.compactMap(\.self)
            guard copies.count == 3 else {
                close(own)
                throw Self.failure("memory is exhausted")
            }
            flags |= MHD_USE_TLS.rawValue
            options += [
                MHD_OPTION.HTTPS_MEM_CERT.rawValue, copies[0], MHD_OPTION.HTTPS_MEM_KEY.rawValue, copies[1],
                MHD_OPTION.HTTPS_PRIORITIES.rawValue, copies[2],
            ]
        }
        options.append(MHD_OPTION.END.rawValue)
        daemon = withVaList(options) { options in
            MHD_start_daemon_va(
                flags, 0, nil, nil,
                { server, connection, _, method, version, upload, size, exchange in
                    guard let server, let connection, let method, let version, let size,
                        let exchange = exchange?.pointee
                    else { return MHD_Result.NO }
                    let own = Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
                    let isOpen = Server.at(server).proceed(
                        connection, String(cString: method), needsHost: strcmp(version, "HTTP/1.0") != 0, upload, size,
                        own)
                    return isOpen ? .YES : .NO
                }, itself, options)
        }
        guard daemon != nil else {
            close(own)
            throw Self.failure(
                "libmicrohttpd does not start" + (identity == nil ? "" : ", or does not accept the certificate"))
        }
    }

    private static func failure(_ cause: String) -> ViperError {
        ViperError(
            .serverFailed, operation: "cannot start", subject: "web server", cause: cause,
            fix: "check web.listen, web.certificate and web.key")
    }

    /// The maximum number of connections. It leaves half of the descriptors of the process to the rest of the host.
    static var connectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
        return min(4_096, max(16, Int(min(limit.rlim_cur, 1 << 20)) / 2))
    }

    fileprivate static func at(_ pointer: UnsafeMutableRawPointer) -> Server {
        Unmanaged.fromOpaque(pointer).takeUnretainedValue()
    }
}

extension Server {
    /// Returns the client of a request.
    func client(of request: Request) -> Client { known(request) ?? pools.unknown }

    /// Ends the streams that browsers do not read.
    ///
    /// - Returns: The number of those that have ended.
    func cutStalledStreams() -> Int { state.withLock { Array($0.streams.values) }.count { $0.cutIfStalled() } }

    /// Answers a request, on the server's thread.
    func answer(_ request: Request) -> Reply {
        if state.withLock({ $0.isStopping }) { return .now(.stopping) }
        return handler(request)
    }

    /// Notes an exchange that a module answers. From now on, ``giveUp()`` can answer it first.
    ///
    /// - Returns: False if the server stops.
    func wait(for exchange: Exchange) -> Bool {
        state.withLock { state in
            if !state.isStopping { state.waiting[ObjectIdentifier(exchange)] = exchange }
            return !state.isStopping
        }
    }

    /// Notes a stream that begins.
    ///
    /// - Returns: False if the server stops.
    func add(_ stream: EventStream) -> Bool {
        state.withLock { state in
            if !state.isStopping { state.streams[ObjectIdentifier(stream)] = stream }
            return !state.isStopping
        }
    }

    func remove(_ stream: EventStream) { state.withLock { $0.streams[ObjectIdentifier(stream)] = nil } }

    func stopWaiting(for exchange: Exchange) { state.withLock { $0.waiting[ObjectIdentifier(exchange)] = nil } }

    /// Stops accepting connections and ends all streams. Requests that are being answered go on, and new ones on the
    /// accepted connections are answered with status 503.
    func quiesce() {
        guard let daemon else { return }
        let socket = MHD_quiesce_daemon(daemon)
        let streams = state.withLock { state in
            // The thread of libmicrohttpd may use the socket until it ends.
            (state.isStopping, state.socket) = (true, socket < 0 ? nil : socket)
            return Array(state.streams.values)
        }
        for stream in streams { stream.end() }
    }

    /// True while a module makes a response.
    var isWorking: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// True while a request is being received or answered.
    var isBusy: Bool { state.withLock { $0.running > 0 } }

    /// Answers the requests that a module has not answered yet with an error.
    func giveUp() {
        for exchange in state.withLock({ Array($0.waiting.values) }) { exchange.finish(with: .stopping) }
    }

    /// Stops the server, after ``quiesce()``. This method blocks its thread for a short time.
    func stop() {
        giveUp()
        MHD_stop_daemon(daemon)
        if let socket = state.withLock({ $0.socket }) { close(socket) }
    }

    private func proceed(
        _ connection: OpaquePointer, _ method: String, needsHost: Bool, _ upload: UnsafePointer<CChar>?,
        _ size: UnsafeMutablePointer<Int>, _ exchange: Exchange
    ) -> Bool {
        guard let phase = exchange.proceed(connection, method, needsHost: needsHost, upload, size, for: self) else {
            return false
        }
        begin(phase, on: connection, of: exchange.client)
        return true
    }

    private func begin(_ phase: Connections.Phase, on connection: OpaquePointer, of client: Client? = nil) {
        guard let own = cmicrohttpd_context(connection) else { return }
        connections.begin(phase, on: Unmanaged.fromOpaque(own).takeUnretainedValue(), of: client)
    }
}

// The functions that libmicrohttpd calls, all on its thread. Their pointers are those that it was given or has returned.
extension Server {
    private static func pointer<Function>(_ function: Function) -> OpaquePointer {
        // C has no other way to pass a function as a variable argument.
        unsafeBitCast(function, to: OpaquePointer.self)
    }

    private typealias Begin =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer?

    /// Begins an exchange, when the first line of a request has arrived. The exchange is retained until `completed`.
    private static let begin: Begin = { server, target, connection in
        guard let server, let target, let connection else { return nil }
        Server.at(server).state.withLock { $0.running += 1 }
        Server.at(server).begin(.header, on: connection)
        let exchange = Exchange(target: target)
        Server.hideArguments(of: target)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    /// Makes a target end after its question mark. The request has a copy with the query.
    ///
    /// libmicrohttpd would split the query into arguments, which nobody reads. Each one takes memory of the connection, and
    /// a request with many of them is never answered. The pointer leads into the buffer of the connection, in which
    /// libmicrohttpd itself changes the target after this call.
    private static func hideArguments(of target: UnsafePointer<CChar>) {
        guard let mark = strchr(target, Int32(UInt8(ascii: "?"))), mark[1] != 0 else { return }
        mark[1] = 0
    }

    private typealias Completed =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_RequestTerminationCode
        ) -> Void

    private static let completed: Completed = { server, connection, place, _ in
        guard let server, let connection, let place, let exchange = place.pointee else { return }
        place.pointee = nil
        let own = Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue()
        if let stream = own.end() { Server.at(server).remove(stream) }
        Server.at(server).state.withLock { $0.running -= 1 }
        Server.at(server).begin(.waiting, on: connection)
    }

    // The last argument is a `va_list`, which Swift cannot declare here. C passes it as a pointer, and it is not used.
    private typealias Log = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> Void

    /// The start of the message with which libmicrohttpd answers a malformed request itself. Nothing else tells of it.
    private static let refusal = "Error processing request"

    private static let log: Log = { server, format, _ in
        guard let server, let format, strncmp(format, refusal, refusal.utf8.count) == 0 else { return }
        Server.at(server).connections.noteRefusal(.malformed)
    }

    private typealias Notify =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            MHD_ConnectionNotificationCode
        ) -> Void

    private static let notify: Notify = { server, connection, place, code in
        guard let server, let connection, let place else { return }
        let connections = Server.at(server).connections
        if code == MHD_ConnectionNotificationCode.CONNECTION_NOTIFY_STARTED {
            let descriptor = cmicrohttpd_descriptor(connection)
            // The system would take megabytes that the client does not read, and nobody would count them.
            var size = sendBuffer
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            let connection = connections.add(descriptor)
            place.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let own = place.pointee {
            place.pointee = nil
            connections.remove(Unmanaged<Connections.Connection>.fromOpaque(own).takeRetainedValue())
        }
    }
}
