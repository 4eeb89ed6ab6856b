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

    /// Begins a session. If there are too many, ends the one without windows that was used least recently.
    ///
    /// - Returns: Nil if there are too many, and all have windows.
    func begin() -> Session? {
        let session = Session(limit: windowLimit)
        return sessions.withLock { sessions in
            if sessions.count >= Self.limit {
                let idle = sessions.values.filter { $0.windows.isEmpty }
                guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return nil }
                sessions[oldest.cookie] = nil
            }
            sessions[session.cookie] = session
            return session
        }
    }

    /// Closes windows and ends sessions that were not used for a long time.
    func expire() {
        for session in all { session.closeUnused(after: Self.windowTime) }
        sessions.withLock { sessions in
            sessions = sessions.filter { !$0.value.windows.isEmpty || .now - $0.value.lastUse < Self.time }
        }
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
