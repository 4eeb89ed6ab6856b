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
    }

    private let state: Mutex<State>
    private static let beat = Array(":\n\n".utf8)

    /// Creates a stream for a browser that shows a version of a page. Nil if it shows none.
    ///
    /// It begins with a comment, because libmicrohttpd sends the header of a response together with its first bytes.
    init(showing version: Int?) { state = Mutex(State(current: Self.beat, version: version)) }

    /// True when the stream has ended, or the browser has closed the connection.
    var isOver: Bool {
        state.withLock { $0.isOver || $0.isEnding || $0.connection.map(\.isClosedByClient) ?? false }
    }

    /// Sets the connection. Called once, on the thread of libmicrohttpd, before the response is queued.
    func attach(_ connection: Handle) { state.withLock { $0.connection = connection } }

    /// Marks the stream as over, because its connection ends.
    func detach() { state.withLock { ($0.isOver, $0.connection, $0.isSuspended) = (true, nil, false) } }

    /// Returns true if the browser has an older version of the page.
    func needs(_ version: Int) -> Bool { state.withLock { Self.needs(version, $0) } }

    /// Sends the event of a page's version, in place of a pending one. Does nothing if the browser has a version that is as
    /// new, because two looks at a window can finish in either order.
    func send(_ version: Int, _ event: [UInt8]) {
        state.withLock { state in
            guard Self.needs(version, state) else { return }
            (state.next, state.version) = (event, version)
            Self.resume(&state)
        }
    }

    private static func needs(_ version: Int, _ state: borrowing State) -> Bool {
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

    private static func resume(_ state: inout State) {
        guard state.isSuspended, let connection = state.connection else { return }
        state.isSuspended = false
        connection.resume()
    }

    /// Copies bytes to send to a buffer, or suspends the connection if there are none.
    ///
    /// - Returns: The number of bytes, or the mark of the stream's end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            if state.sent == state.current.count, let next = state.next {
                (state.current, state.sent, state.next) = (next, 0, nil)
            }
            if state.sent == state.current.count {
                state.current = []
                state.sent = 0
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
}
