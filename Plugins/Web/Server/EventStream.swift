import Synchronization

/// A response of server-sent events that stays open. It needs no thread: while nothing is to be sent, its connection is
/// suspended.
final class EventStream: Sendable {
    private struct State {
        /// Nil before the response is queued, and after it has ended.
        var connection: Handle?
        var isSuspended = false
        /// The bytes that are being sent, and the number of those that were sent.
        var current: [UInt8] = []
        var sent = 0
        /// The bytes to send next. Newer ones replace them, because each event describes a whole page.
        var next: [UInt8]?
        var isEnding = false
        /// True when the response is freed.
        var isOver = false
        /// The newest version of the page that the browser has, or will have from this stream.
        var version: Int?
        /// The leases of the stream, of the bytes that are being sent, and of those to send next.
        var leases: (stream: Lease?, current: Lease?, next: Lease?)
        /// The time since which the browser has not read all bytes. Nil if it has.
        var unreadSince: ContinuousClock.Instant?

        /// Takes all leases. They end after the lock is released.
        mutating func takeLeases() -> [Lease?] {
            defer { leases = (nil, nil, nil) }
            return [leases.stream, leases.current, leases.next]
        }
    }

    private let client: Client
    private let unsent: Pool
    private let state: Mutex<State>
    private static let beat = Array(":\n\n".utf8)
    /// The time after which a stream ends if the browser does not read it.
    private static let patience = Duration.seconds(120)

    /// Creates a stream for a browser that shows a version of a page. Nil if it shows none.
    ///
    /// It begins with a comment, because libmicrohttpd sends the header of a response together with its first bytes.
    private init(showing version: Int?, for client: Client, _ unsent: Pool) {
        (self.client, self.unsent) = (client, unsent)
        state = Mutex(State(current: Self.beat, version: version, leases: (nil, nil, nil)))
    }

    /// Opens a stream for a browser that shows a version of a page. Nil if it shows none.
    ///
    /// - Returns: Nil if the server has no room for another stream.
    static func open(showing version: Int?, for client: Client, in pools: Pools) -> EventStream? {
        let stream = EventStream(showing: version, for: client, pools.unsent)
        guard let lease = pools.streams.lease(1, to: client, for: stream) else { return nil }
        stream.state.withLock { $0.leases.stream = lease }
        return stream
    }

    /// Creates the stream of an answer that has a header only. It takes no room, because it ends at once.
    static func ofHeader(for client: Client, in pools: Pools) -> EventStream {
        EventStream(showing: nil, for: client, pools.unsent)
    }

    /// True when the stream has ended, or the browser has closed the connection.
    var isOver: Bool {
        state.withLock { $0.isOver || $0.isEnding || $0.connection.map(\.isClosedByClient) ?? false }
    }

    /// Sets the connection. Called once, on the thread of libmicrohttpd, before the response is queued.
    func attach(_ connection: Handle) { state.withLock { $0.connection = connection } }

    /// Marks the stream as over, because its connection ends.
    func detach() {
        let leases = state.withLock { state in
            (state.isOver, state.connection, state.isSuspended, state.unreadSince) = (true, nil, false, nil)
            return state.takeLeases()
        }
        leases.forEach { $0?.end() }
    }

    /// Returns true if the browser has an older version of the page.
    func needs(_ version: Int) -> Bool { state.withLock { Self.needs(version, $0) } }

    /// Sends the event of a page's version, in place of a pending one. Does nothing if the browser has a version that is as
    /// new, because two looks at a window can finish in either order.
    ///
    /// If the browser reads too little, the stream ends. Its next one begins with the newest version.
    func send(_ version: Int, _ event: [UInt8]) {
        guard needs(version) else { return }
        guard let lease = unsent.lease(event.count, to: client, for: self) else { return lose() }
        let old = state.withLock { state -> Lease? in
            guard Self.needs(version, state) else { return lease }
            defer { state.leases.next = lease }
            (state.next, state.version) = (event, version)
            Self.resume(&state)
            return state.leases.next
        }
        old?.end()
    }

    private static func needs(_ version: Int, _ state: State) -> Bool {
        if state.isOver || state.isEnding { return false }
        return state.version.map { $0 < version } ?? true
    }

    /// Sends a comment, so that a connection that has ended is noticed.
    func keepAlive() {
        state.withLock { state in
            if state.isOver || state.isEnding || !state.isSuspended { return }
            state.next = Self.beat
            Self.resume(&state)
        }
    }

    /// Ends the response.
    ///
    /// - Parameter last: The bytes to send before. Nil to send what waits.
    func end(after last: [UInt8]? = nil) {
        state.withLock { state in
            if state.isOver || state.isEnding { return }
            if let last { state.next = last }
            state.isEnding = true
            Self.resume(&state)
        }
    }

    /// Ends the stream if the browser has not read it for too long.
    ///
    /// - Returns: True if it has ended.
    func cutIfStalled() -> Bool {
        let isStalled = state.withLock { $0.unreadSince.map { .now - $0 > Self.patience } ?? false }
        if isStalled { lose() }
        return isStalled
    }

    private static func resume(_ state: inout State) {
        guard state.isSuspended, let connection = state.connection else { return }
        state.isSuspended = false
        connection.resume()
    }

    /// Copies bytes to send to a buffer, or suspends the connection if there are none.
    ///
    /// - Returns: The number of bytes, or the mark of the stream's end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, lease) = state.withLock { state in
            var lease: Lease?
            if state.sent == state.current.count {
                (state.current, state.sent, state.next) = (state.next ?? [], 0, nil)
                lease = state.leases.current
                (state.leases.current, state.leases.next) = (state.leases.next, nil)
                state.unreadSince = state.current.isEmpty ? nil : .now
            }
            return (Self.read(&state, into: buffer), lease)
        }
        lease?.end()
        return count
    }

    private static func read(_ state: inout State, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if state.current.isEmpty {
            // MHD_CONTENT_READER_END_OF_STREAM, a macro that Swift does not import.
            guard !state.isEnding, let connection = state.connection else { return -1 }
            // The lock is held, so that no other thread resumes the connection before it is suspended.
            state.isSuspended = true
            connection.suspend()
            return 0
        }
        let count = min(buffer.count, state.current.count - state.sent)
        state.current[state.sent..<state.sent + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
        state.sent += count
        return count
    }
}

extension EventStream: LeaseHolder {
    /// Ends the stream without waiting for the browser. Its script opens another one after a while.
    func lose() {
        let leases = state.withLock { state in
            (state.isEnding, state.next) = (true, nil)
            state.connection?.cut()
            Self.resume(&state)
            return state.takeLeases()
        }
        leases.forEach { $0?.end() }
    }
}
