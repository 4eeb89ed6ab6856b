import Synchronization
import ViperKit

/// The sessions of all browsers, by their cookies.
final class Sessions: Sendable {
    /// The result of beginning a session.
    enum Beginning {
        case begun(Session, SessionStore.Storing)
        /// Many sessions have begun within the last second.
        case tooEarly
        /// There are too many sessions, and browsers use all of them.
        case full
    }

    private let windowLimit: Int
    /// True if browsers have to log in.
    private let hasLogin: Bool
    /// Stores the sessions.
    let store: SessionStore
    private let sessions = Mutex<[String: Session]>([:])
    private let rate = Mutex(Rate(perSecond: 20))

    /// The maximum number of sessions.
    static let limit = 1_000
    /// The time after which a window closes if no page uses it.
    private static let windowTime = Duration.seconds(12 * 3_600)
    /// The time after which a session without windows ends.
    private static let time = Duration.seconds(24 * 3_600)

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - windowLimit: The maximum number of windows of a session.
    ///   - hasLogin: True if browsers have to log in.
    init(windowLimit: Int, hasLogin: Bool, store: SessionStore) {
        (self.windowLimit, self.hasLogin, self.store) = (windowLimit, hasLogin, store)
    }

    var all: [Session] { sessions.withLock { Array($0.values) } }

    /// Returns the session with a cookie. Nil if there is none.
    func session(_ cookie: Substring?) -> Session? {
        guard let cookie else { return nil }
        let session = sessions.withLock { $0[String(cookie)] }
        return session.flatMap { $0.isOver ? nil : $0 }
    }

    /// Begins a session. If there are too many, ends one: first those that never sent a form, then those that no page shows,
    /// then those without windows, then the least recently used one. A session whose form was executed and that a page
    /// shows never ends.
    ///
    /// - Parameters:
    ///   - browser: The browser's name for itself.
    ///   - isInvited: True if the browser has logged in. Its session begins no matter how many others have just begun.
    ///   - now: The current time.
    func begin(
        for browser: String? = nil, isInvited: Bool = false, at now: ContinuousClock.Instant = .now
    ) -> Beginning {
        // A client without a session cannot be told from any other, so it has no share of this bound.
        guard isInvited || rate.withLock({ $0.take(at: now) }) else { return .tooEarly }
        let session = Session(limit: windowLimit, hasLoggedIn: hasLogin, browser: browser)
        let known = all
        let last = known.count < Self.limit ? nil : Self.first(of: known)
        let (isBegun, ended) = sessions.withLock { sessions -> (Bool, Session?) in
            let ended = sessions.count < Self.limit ? nil : last.flatMap { sessions.removeValue(forKey: $0.cookie) }
            guard sessions.count < Self.limit else { return (false, nil) }
            sessions[session.cookie] = session
            return (true, ended)
        }
        if let ended { forget(ended, because: Self.displacement) }
        guard isBegun else { return .full }
        let saved = session.saved(store.server, hasWindows: false)
        // The caller's thread also ends sessions, so that the file contains both in order.
        return .begun(session, store.store(.init(begin: saved)))
    }

    /// Returns the session that ends first if there are too many.
    private static func first(of sessions: [Session]) -> Session? {
        let claims = sessions.map { session in
            let windows = session.windows
            let isShown = windows.contains(where: \.isShown)
            let ranks = [session.client.hasSentForm, isShown, !windows.isEmpty].map { $0 ? 1 : 0 }
            return (session: session, ranks: (ranks[0], ranks[1], ranks[2]), use: session.lastUse)
        }
        let losable = claims.filter { ($0.ranks.0, $0.ranks.1) < (1, 1) }
        return losable.min { $0.ranks == $1.ranks ? $0.use < $1.use : $0.ranks < $1.ranks }?.session
    }

    private static let displacement = "This window was closed, because more than \(limit) browsers had windows."

    /// Closes windows and ends sessions that were not used for a long time, and logins after their time.
    func expire() {
        for session in all { session.closeUnused(after: Self.windowTime) }
        let ended = all.filter { $0.isOver || $0.windows.isEmpty && .now - $0.lastUse >= Self.time }
        sessions.withLock { sessions in for session in ended { sessions[session.cookie] = nil } }
        for session in ended { forget(session, because: Self.expiry) }
    }

    private static let expiry = "This window was closed, because its browser has to log in again."

    /// Closes the windows of a session that has ended, and forgets it.
    private func forget(_ session: Session, because reason: String) {
        store.note(.init(end: session.cookie))
        for window in session.windows { Task { await window.close(because: reason) } }
    }

    /// Ends a session, or all of them. Called on the thread on which sessions begin.
    ///
    /// - Parameter session: The session to end. Nil for all.
    func end(_ session: Session?, because reason: String) -> SessionStore.Storing {
        let ended = session.map { [$0] } ?? all
        sessions.withLock { sessions in for session in ended { sessions[session.cookie] = nil } }
        for window in ended.flatMap(\.windows) { Task { await window.close(because: reason) } }
        return store.store(session.map { .init(end: $0.cookie) } ?? .init(endAll: store.server))
    }

    /// Continues the sessions and windows of an earlier version of this module. Leaves out closed windows.
    func take(_ saved: [SavedSession], from windows: any Windows, in pools: Pools) async {
        // A browser that has not logged in may have been let in with other settings.
        for one in saved.suffix(Self.limit) where one.hasLoggedIn ?? false || !hasLogin {
            let session = Session(one, limit: windowLimit)
            for window in one.windows {
                guard let lease = pools.windows.lease(1, to: session.client, for: nil),
                    let open = try? await windows.take(window.window, of: session.identity)
                else { continue }
                session.add(window, open, lease)
            }
            sessions.withLock { $0[session.cookie] = session }
        }
    }
}
