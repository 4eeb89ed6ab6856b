import CMicroHTTPD
import Glibc
import Synchronization

/// The open connections, with the time limit of each.
///
/// libmicrohttpd closes a connection that is idle. A client that sends or reads a byte now and then is not idle.
final class Connections: Sendable {
    /// An open connection.
    final class Connection: Sendable {
        fileprivate let descriptor: Int32
        fileprivate let state: Mutex<(phase: Phase, since: ContinuousClock.Instant)>

        fileprivate init(_ descriptor: Int32) {
            self.descriptor = descriptor
            state = Mutex((.waiting, .now))
        }

        /// Begins a phase, unless the connection is in it. Each part of a body continues the phase.
        func begin(_ phase: Phase) { state.withLock { if $0.phase != phase { $0 = (phase, .now) } } }
    }

    /// The state of a connection.
    enum Phase {
        /// It waits for the next request.
        case waiting
        /// It receives the header of a request.
        case header
        /// It receives a body.
        case receiving
        /// Its request is being answered, by a module or by a stream.
        case answering
        /// It sends a response.
        case sending

        /// The order in which connections are displaced by new ones, lowest first. Nil if a connection is never displaced.
        var rank: Int? {
            switch self {
            case .waiting: 0
            case .header: 1
            case .receiving: 2
            case .sending: 3
            case .answering: nil
            }
        }

        /// The time after which a connection closes. Nil if there is none.
        var limit: Duration? {
            switch self {
            case .waiting, .header: .seconds(20)
            case .receiving: .seconds(30)
            case .answering: nil
            case .sending: .seconds(120)
            }
        }
    }

    private let limit: Int
    private let refused = Mutex<[Refusals.Reason: Int]>([:])
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])

    /// Creates an empty set.
    ///
    /// - Parameter limit: The number of connections above which a new one displaces an earlier one.
    init(limit: Int) { self.limit = limit }

    var count: Int { open.withLock { $0.count } }

    /// Notes a request or a connection that was refused.
    func noteRefusal(_ reason: Refusals.Reason) { refused.withLock { $0[reason, default: 0] += 1 } }

    /// Returns the numbers of refusals since the last call.
    func takeRefusals() -> [Refusals.Reason: Int] {
        refused.withLock { refused in
            defer { refused = [:] }
            return refused
        }
    }

    /// Adds a connection. Over the limit, shuts down the one that has waited longest for a request, or else the one that has
    /// been receiving or sending longest.
    func add(_ descriptor: Int32) -> Connection {
        let connection = Connection(descriptor)
        open.withLock { open in
            if open.count >= limit {
                let places = open.values.compactMap { connection -> (Connection, Int, ContinuousClock.Instant)? in
                    let (phase, since) = connection.state.withLock { $0 }
                    return phase.rank.map { (connection, $0, since) }
                }
                if let first = places.min(by: { ($0.1, $0.2) < ($1.1, $1.2) }) {
                    Self.shut(first.0)
                    noteRefusal(.limit)
                }
            }
            open[ObjectIdentifier(connection)] = connection
        }
        return connection
    }

    /// Removes a connection, before its descriptor is closed.
    func remove(_ connection: Connection) { open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) } }

    /// Shuts down the connections that are idle for too long, and those that are too slow.
    ///
    /// - Returns: The number of those that are too slow.
    func shutOverdue() -> Int {
        open.withLock { open in
            let overdue = open.values.filter { connection in
                let (phase, since) = connection.state.withLock { $0 }
                return phase.limit.map { .now - since > $0 } ?? false
            }
            let slow = overdue.count { $0.state.withLock { $0.phase } != .waiting }
            overdue.forEach(Self.shut)
            return slow
        }
    }

    /// Shuts down a connection. Its descriptor is open, because only ``remove(_:)`` lets libmicrohttpd close it, and that
    /// waits for the lock.
    private static func shut(_ connection: Connection) {
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
        // It is not shut twice.
        connection.begin(.answering)
    }
}
