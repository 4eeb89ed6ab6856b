import Synchronization
import ViperKit

/// The sessions of all browsers, by their cookies.
final class Sessions: Sendable {
    private let windowLimit: Int
    private let sessions = Mutex<[String: Session]>([:])

    /// The maximum number of sessions.
    static let limit = 1_000
    /// The time after which a window closes if no page uses it.
    private static let windowTime = Duration.seconds(12 * 3_600)
    /// The time after which a session without windows ends.
    private static let time = Duration.seconds(24 * 3_600)

    /// Creates an empty set.
    ///
    /// - Parameter windowLimit: The maximum number of windows of a session.
    init(windowLimit: Int) { self.windowLimit = windowLimit }

    var all: [Session] { sessions.withLock { Array($0.values) } }

    /// Returns the session with a cookie. Nil if there is none.
    func session(_ cookie: Substring?) -> Session? {
        guard let cookie else { return nil }
        return sessions.withLock { $0[String(cookie)] }
    }

    /// Begins a session. If there are too many, ends one that no page shows: first those without windows, then the least
    /// recently used one.
    ///
    /// - Returns: Nil if there are too many, and pages show all of them.
    func begin() -> Session? {
        let session = Session(limit: windowLimit)
        let known = all
        let last = known.count < Self.limit ? nil : Self.leastUsed(of: known)
        let (isBegun, ended) = sessions.withLock { sessions -> (Bool, Session?) in
            let ended = sessions.count < Self.limit ? nil : last.flatMap { sessions.removeValue(forKey: $0.cookie) }
            guard sessions.count < Self.limit else { return (false, nil) }
            sessions[session.cookie] = session
            return (true, ended)
        }
        for window in ended?.windows ?? [] { Task { await window.close(because: Self.displacement) } }
        return isBegun ? session : nil
    }

    /// Returns the session that ends first if there are too many.
    private static func leastUsed(of sessions: [Session]) -> Session? {
        let hidden = sessions.map { ($0, $0.windows, $0.lastUse) }.filter { !$0.1.contains(where: \.isShown) }
        return hidden.min { ($0.1.isEmpty ? 0 : 1, $0.2) < ($1.1.isEmpty ? 0 : 1, $1.2) }?.0
    }

    private static let displacement = "This window was closed, because more than \(limit) browsers had windows."

    /// Closes windows and ends sessions that were not used for a long time.
    func expire() {
        for session in all { session.closeUnused(after: Self.windowTime) }
        let ended = all.filter { $0.windows.isEmpty && .now - $0.lastUse >= Self.time }
        sessions.withLock { sessions in for session in ended { sessions[session.cookie] = nil } }
    }

    /// The state from which the next version of this module continues the sessions.
    var saved: [SavedSession] { all.map(\.saved) }

    /// Continues the sessions and windows of an earlier version of this module. Leaves out closed windows.
    func take(_ saved: [SavedSession], from windows: any Windows) async {
        for one in saved.prefix(Self.limit) {
            let session = Session(one, limit: windowLimit)
            for window in one.windows {
                guard let open = try? await windows.take(window.window, of: session.identity) else { continue }
                session.add(window, open)
            }
            sessions.withLock { $0[session.cookie] = session }
        }
    }
}
