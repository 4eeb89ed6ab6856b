import ViperKit

/// The module's interface to the login of one identity. Interactors use this protocol, so they do not depend on the
/// credential store.
protocol AccountLocalDataManaging: Sendable {
    /// Returns the name of the logged-in user, or nil if nobody is logged in.
    func userName() async throws(ViperError) -> String?

    /// Stores the name of the logged-in user and the server's token.
    func keep(userName: String, token: String) async throws(ViperError)

    /// Removes the stored user name and token.
    func forget() async throws(ViperError)
}

/// The login of one identity among the module's sessions.
struct AccountLocalDataManager: AccountLocalDataManaging {
    let sessions: AccountSessions
    let identity: String

    func userName() async throws(ViperError) -> String? { try await sessions.session(of: identity)?.userName }

    func keep(userName: String, token: String) async throws(ViperError) {
        try await sessions.begin(
            AccountSessions.Session(identity: identity, userName: userName, token: token, server: sessions.server))
    }

    func forget() async throws(ViperError) { try await sessions.end(identity) }
}
