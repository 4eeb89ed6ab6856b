import CMicroHTTPD
import Glibc
import Synchronization

/// The open connections, with the time limit of each.
///
/// libmicrohttpd closes a connection that is idle. A client that sends or reads a byte now and then is not idle.
final class Connections: Sendable {
    /// An open connection, as libmicrohttpd keeps it.
    final class Connection: Sendable {}

    private struct Place {
        let descriptor: Int32
        var phase = Phase.new
        var since = ContinuousClock.now
        /// The client of the last request. Nil if there is none.
        var client: Client?

        /// Begins a phase, unless the connection is in it. Each part of a body continues the phase.
        mutating func begin(_ next: Phase) { if phase != next { (phase, since) = (next, .now) } }

        /// The order of a connection that has just begun, among those that are displaced.
        static let new = 2

        /// Returns the order in which connections are displaced by new ones, lowest first. Nil if this one is not displaced.
        ///
        /// A connection that has just begun may be that of a person, so it stays longer than those of sessions that never sent a
        /// form.
        func claim(at now: ContinuousClock.Instant) -> (order: Int, phase: Int, since: ContinuousClock.Instant)? {
            guard let rank = phase.rank else { return nil }
            if let client, client.isKnown { return (client.hasSentForm ? 3 : 1, rank, since) }
            let isNew = (phase == .new || phase == .header) && now - since < .seconds(2)
            return (isNew ? Self.new : 0, rank, since)
        }

        /// Shuts the connection down once. Its descriptor is open, because only ``Connections/remove(_:)`` lets
        /// libmicrohttpd close it, and that waits for the lock.
        mutating func shut() {
            shutdown(descriptor, Int32(SHUT_RDWR))
            begin(.answering)
        }
    }

    /// The state of a connection.
    enum Phase {
        /// It is new, and has received nothing.
        case new
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

        /// The order in which connections of similar clients are displaced. Nil if a connection is never displaced.
        ///
        /// Of those that are in use, the oldest comes first. A client could otherwise fill one phase, and have every connection
        /// in another one displaced.
        var rank: Int? {
            switch self {
            case .waiting: 0
            case .new, .header, .receiving, .sending: 1
            case .answering: nil
            }
        }

        /// The time after which a connection closes. Nil if there is none.
        var limit: Duration? {
            switch self {
            case .new, .waiting, .header: .seconds(20)
            case .receiving: .seconds(30)
            case .answering: nil
            case .sending: .seconds(120)
            }
        }
    }

    private let limit: Int
    private let refused = Mutex<[Refusals.Reason: Int]>([:])
    private let open = Mutex<[ObjectIdentifier: Place]>([:])

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

    /// Adds a connection. Over the limit, shuts down another one: first one without a session, then one of a session that never
    /// sent a form. Of these, the one that has waited longest for a request, or else the one that is in use for longest.
    func add(_ descriptor: Int32) -> Connection {
        let (connection, now) = (Connection(), ContinuousClock.now)
        let isFull = open.withLock { open in
            defer { open[ObjectIdentifier(connection)] = Place(descriptor: descriptor) }
            if open.count < limit { return false }
            var claims = open.compactMap { key, place in place.claim(at: now).map { (key, $0) } }
            // Some places are for connections that have just begun. Sessions with forms could otherwise take them all.
            if claims.count(where: { $0.1.order == Place.new }) <= limit / 8 {
                for index in claims.indices where claims[index].1.order == Place.new { claims[index].1.order = .max }
            }
            guard let first = claims.min(by: { $0.1 < $1.1 }) else { return false }
            open[first.0]?.shut()
            return true
        }
        if isFull { noteRefusal(.limit) }
        return connection
    }

    /// Begins a phase of a connection.
    ///
    /// - Parameter client: The client of the request. Nil if it is not known yet.
    func begin(_ phase: Phase, on connection: Connection, of client: Client?) {
        open.withLock { open in
            open[ObjectIdentifier(connection)]?.begin(phase)
            if let client { open[ObjectIdentifier(connection)]?.client = client }
        }
    }

    /// Removes a connection, before its descriptor is closed.
    func remove(_ connection: Connection) { open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) } }

    /// Shuts down the connections that are idle for too long, and those that are too slow.
    ///
    /// - Returns: The number of those that are too slow.
    @discardableResult
    func shutOverdue() -> Int {
        open.withLock { open in
            let overdue = open.filter { _, place in place.phase.limit.map { .now - place.since > $0 } ?? false }
            for key in overdue.keys { open[key]?.shut() }
            return overdue.values.count { ![.new, .waiting].contains($0.phase) }
        }
    }
}
