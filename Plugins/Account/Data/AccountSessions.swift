import Synchronization
import ViperKit

/// The logged-in users, by the identities of their windows. The module's credential store keeps the sessions. It never
/// contains a password.
actor AccountSessions {
    /// A logged-in user.
    struct Session: Codable, Sendable, Equatable {
        var identity: String
        var userName: String
        /// The server's token.
        var token: String
        /// The URL of the server that has issued the token. Nil in sessions that an earlier version has stored; their
        /// tokens are not sent.
        var server: String?
    }

    private let store: any CredentialStore
    private let json: any JSONCoder
    /// The sessions, the oldest first. Nil until they are first read.
    private var sessions: [Session]?
    private let observers = Mutex<[AsyncStream<Revocation>.Continuation]>([])

    /// The maximum number of sessions. The oldest ends when another one begins: browsers that never log out would
    /// otherwise add sessions for ever.
    static let limit = 1_000

    /// Creates sessions that a credential store keeps.
    init(store: any CredentialStore, json: any JSONCoder) { (self.store, self.json) = (store, json) }

    func session(of identity: String) async throws(ViperError) -> Session? {
        try await all().first { $0.identity == identity }
    }

    func contains(_ session: Session) async throws(ViperError) -> Bool { try await all().contains(session) }

    /// Begins a session in place of another one of the same identity.
    func begin(_ session: Session) async throws(ViperError) {
        // Logging in again replaces an unreadable credential.
        let others = ((try? await all()) ?? []).filter { $0.identity != session.identity }
        try await save(others.suffix(Self.limit - 1) + [session])
    }

    /// Ends the session of an identity at the request of its user.
    func end(_ identity: String) async throws(ViperError) {
        try await save(try await all().filter { $0.identity != identity })
        revoke(identity, because: "you have logged out")
    }

    /// Ends a session for a reason. Does nothing if the session has already ended, because its identity may have another
    /// one.
    func end(_ session: Session, because reason: String) async throws(ViperError) {
        let all = try await all()
        guard all.contains(session) else { return }
        try await save(all.filter { $0 != session })
        revoke(session.identity, because: reason)
    }

    private func revoke(_ identity: String, because reason: String) {
        observers.withLock { observers in
            observers.removeAll { observer in
                if case .terminated = observer.yield(Revocation(identity: identity, reason: reason)) {
                    true
                } else {
                    false
                }
            }
        }
    }

    /// Returns a sequence of the sessions that end from now on.
    nonisolated func revocations() -> AsyncStream<Revocation> {
        let (revocations, observer) = AsyncStream.makeStream(of: Revocation.self)
        observers.withLock { $0.append(observer) }
        return revocations
    }

    private func all() async throws(ViperError) -> [Session] {
        if let sessions { return sessions }
        guard let credential = try await store.credential() else { return [] }
        return try json.decode([Session].self, from: Array(credential.secret.utf8), named: "the sessions")
    }

    private func save(_ changed: [Session]) async throws(ViperError) {
        let before = sessions
        // Calls that arrive while the store is being written see the new sessions.
        sessions = changed
        do throws(ViperError) {
            if changed.isEmpty { return try await store.remove() }
            let secret = String(decoding: try json.encode(changed), as: UTF8.self)
            try await store.save(Credential(user: "sessions", secret: secret))
        } catch {
            sessions = before
            throw error
        }
    }
}

extension AccountSessions.Session: CustomReflectable, CustomStringConvertible {
    /// The user's name. The token must not appear in errors and logs.
    var description: String { "session of \(userName)" }
    /// A mirror without the token, so that a dump of a value that contains a session does not show it.
    var customMirror: Mirror { Mirror(self, children: ["identity": identity, "userName": userName]) }
}
