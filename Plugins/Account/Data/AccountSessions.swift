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
    }

    private let store: any CredentialStore
    private let json: any JSONCoder
    /// The sessions, the oldest first. Nil until they are first read.
    private var sessions: [Session]?
    private var observers: [AsyncStream<Revocation>.Continuation] = []

    /// The maximum number of sessions. The oldest ends when another one begins: browsers that never log out would
    /// otherwise add sessions for ever.
    static let limit = 1_000

    /// Creates sessions that a credential store keeps.
    init(store: any CredentialStore, json: any JSONCoder) { (self.store, self.json) = (store, json) }

    func userName(of identity: String) async throws(ViperError) -> String? {
        try await all().first { $0.identity == identity }?.userName
    }

    /// Begins a session in place of another one of the same identity.
    func begin(_ session: Session) async throws(ViperError) {
        // Logging in again replaces an unreadable credential.
        let others = ((try? await all()) ?? []).filter { $0.identity != session.identity }
        try await save(others.suffix(Self.limit - 1) + [session])
    }

    /// Ends the session of an identity, and tells the observers.
    func end(_ identity: String) async throws(ViperError) {
        try await save(try await all().filter { $0.identity != identity })
        for observer in observers { observer.yield(Revocation(identity: identity, reason: "you have logged out")) }
    }

    /// Returns a sequence of the sessions that end from now on.
    func revocations() -> AsyncStream<Revocation> {
        let (revocations, observer) = AsyncStream.makeStream(of: Revocation.self)
        observers.append(observer)
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
