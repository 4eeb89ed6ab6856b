import ViperKit

/// The module's interface to the local login data. Interactors use this protocol, so they do not depend on the
/// credential store.
protocol AccountLocalDataManaging: Sendable {
    /// Returns the name of the logged-in user, or nil if nobody is logged in.
    func userName() async throws(ViperError) -> String?

    /// Stores the name of the logged-in user and the server's token.
    func keep(userName: String, token: String) async throws(ViperError)

    /// Removes the stored user name and token.
    func forget() async throws(ViperError)
}

/// A data manager that keeps the user name and the token in the module's credential store. It never stores the
/// password.
struct AccountLocalDataManager: AccountLocalDataManaging {
    let store: any CredentialStore

    func userName() async throws(ViperError) -> String? { try await store.credential()?.user }

    func keep(userName: String, token: String) async throws(ViperError) {
        try await store.save(Credential(user: userName, secret: token))
    }

    func forget() async throws(ViperError) { try await store.remove() }
}
