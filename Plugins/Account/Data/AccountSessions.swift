import ViperKit

/// The logged-in users, by the identities of their windows. The module's credential store keeps the sessions. It never
/// contains a password.
///
/// Each call reads the store, because other generations and processes change it too.
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

        /// Compares bytes. Texts with the same characters in another Unicode form are different identities.
        func isOf(_ identity: String) -> Bool { self.identity.utf8.elementsEqual(identity.utf8) }
    }

    private let store: any CredentialStore
    private let json: any JSONCoder
    /// The URL of the server at which users log in. Nil if it is not configured.
    let server: String?
    /// True while the store is being changed, and the changes that wait for their turn.
    private(set) var isChanging = false
    private(set) var waiting: [CheckedContinuation<Void, Never>] = []
    private let ended = SessionObservers<EndedSession>()
    private let changed = SessionObservers<String>()

    /// The maximum size of the stored sessions in bytes. The host's credential store refuses files of more than 64 KiB.
    /// The rest is for the JSON object around the sessions.
    static let sizeLimit = (1 << 16) - 256
    /// The maximum number of attempts to change the stored sessions while others change them too.
    static let attemptLimit = 100
    /// The user of the stored credential, which has the sessions of all users.
    private static let user = "sessions"

    /// Creates sessions that a credential store keeps.
    init(store: any CredentialStore, json: any JSONCoder, server: String?) {
        (self.store, self.json, self.server) = (store, json, server)
    }

    /// Returns the session of an identity. A login at another server than the configured one does not count.
    func session(of identity: String) async throws(ViperError) -> Session? {
        guard let session = try await all().first(where: { $0.isOf(identity) }) else { return nil }
        return server == nil || session.server == server ? session : nil
    }

    func contains(_ session: Session) async throws(ViperError) -> Bool { try await all().contains(session) }

    /// Begins a session in place of another one of the same identity. Ends the oldest sessions if the store has no room
    /// for all: browsers that never log out would otherwise add sessions for ever.
    func begin(_ session: Session) async throws(ViperError) {
        var dropped: ArraySlice<Session> = []
        try await change { all throws(ViperError) in
            let stored: [Session]
            do throws(ViperError) { stored = try all.get() } catch {
                // Logging in again replaces a damaged credential. After another failure, it may still be intact.
                guard error.code == .jsonInvalid else { throw error }
                stored = []
            }
            let others = stored.filter { !$0.isOf(session.identity) }
            let kept = try newest(of: others + [session])
            dropped = others.dropLast(kept.count - 1)
            // Before the session is stored, so that the host closes scenes of the earlier user, not of the next one.
            if let earlier = stored.first(where: { $0.isOf(session.identity) }), !earlier.isOfSameUser(as: session) {
                revoke(session.identity, because: "another user has logged in")
            }
            return kept
        }
        for session in dropped { revoke(session.identity, because: "too many other users have logged in") }
        changed.yield(session.identity)
    }

    /// Returns the newest sessions for which the store has room. At least one, whose size the store then checks.
    private func newest(of sessions: [Session]) throws(ViperError) -> [Session] {
        var (size, count) = (0, 0)
        for session in sessions.reversed() {
            // The store encodes the JSON text as a JSON string. Its two quotes are more than the comma in the list.
            size += try json.encode(String(decoding: try json.encode(session), as: UTF8.self)).count
            if count > 0, size > Self.sizeLimit { break }
            count += 1
        }
        return Array(sessions.suffix(count))
    }

    /// Ends the session of an identity at the request of its user.
    func end(_ identity: String) async throws(ViperError) {
        try await change { all throws(ViperError) in try all.get().filter { !$0.isOf(identity) } }
        revoke(identity, because: "you have logged out")
    }

    /// Ends a session for a reason. Does nothing if the session has already ended, because its identity may have another
    /// one.
    func end(_ session: Session, because reason: String) async throws(ViperError) {
        var isFound = false
        try await change { all throws(ViperError) in
            let all = try all.get()
            isFound = all.contains(session)
            return isFound ? all.filter { $0 != session } : nil
        }
        if isFound { revoke(session.identity, because: reason) }
    }

    private func revoke(_ identity: String, because reason: String) {
        ended.yield(
            EndedSession(Revocation(identity: identity, reason: reason)) { [changed] in changed.yield(identity) })
    }

    /// Returns a sequence of the sessions that end from now on. Other modules learn of the end when each reader has asked
    /// for the next element: the host has then closed the guarded scenes, which would otherwise ask their servers again.
    nonisolated func revocations() -> AsyncStream<Revocation> {
        let reader = EndedSessionReader(ended.stream())
        return AsyncStream { await reader.next() }
    }

    /// Returns a sequence of the identities whose sessions begin or end from now on.
    nonisolated func changes() -> AsyncStream<String> { changed.stream() }

    /// Returns the stored sessions, the oldest first.
    func all() async throws(ViperError) -> [Session] { try sessions(in: try await store.credential()) }

    private func sessions(in credential: Credential?) throws(ViperError) -> [Session] {
        guard let credential else { return [] }
        return try json.decode([Session].self, from: Array(credential.secret.utf8), named: "the sessions")
    }

    /// Changes the stored sessions, one change of this generation after another. If another generation or process changes
    /// them first, reads them again and retries.
    ///
    /// - Parameter change: A closure that returns the new sessions, or nil to change nothing. Its parameter is the stored
    ///   sessions, or the error for which they cannot be read. Each attempt calls it.
    private func change(
        _ change: (Result<[Session], ViperError>) throws(ViperError) -> [Session]?
    ) async throws(ViperError) {
        if isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
        defer {
            // The next change takes its turn at once, so that no other one begins before it.
            if waiting.isEmpty { isChanging = false } else { waiting.removeFirst().resume() }
        }
        for _ in 1...Self.attemptLimit {
            var old: Credential?
            let stored: Result<[Session], ViperError>
            do throws(ViperError) {
                old = try await store.credential()
                stored = .success(try sessions(in: old))
            } catch {
                stored = .failure(error)
            }
            guard let changed = try change(stored) else { return }
            var new: Credential?
            if !changed.isEmpty {
                new = Credential(user: Self.user, secret: String(decoding: try json.encode(changed), as: UTF8.self))
            }
            if try await store.replace(old, with: new) { return }
            // Random, so that two processes do not keep retrying in lockstep. Without a pause if the task is cancelled,
            // because a logout should still succeed.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 1...10)))
        }
        throw ViperError(
            .storeFailed, operation: "cannot change credential", subject: Self.user,
            cause: "other processes have changed it before each of \(Self.attemptLimit) attempts", fix: "retry")
    }
}

extension AccountSessions.Session {
    fileprivate func isOfSameUser(as other: Self) -> Bool {
        userName.utf8.elementsEqual(other.userName.utf8) && server == other.server
    }
}

extension AccountSessions.Session: CustomReflectable, CustomStringConvertible {
    /// The user's name. The token must not appear in errors and logs.
    var description: String { "session of \(userName)" }
    /// A mirror without the token, so that a dump of a value that contains a session does not show it.
    var customMirror: Mirror { Mirror(self, children: ["identity": identity, "userName": userName]) }
}
