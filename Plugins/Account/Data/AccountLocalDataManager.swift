import ViperKit

/// What the interactors ask of this machine: who is logged in. The module's own protocol, so that they know nothing of stores.
protocol AccountLocalDataManaging: Sendable {
    /// Who is logged in, or nil.
    func userName() async throws(ViperError) -> String?

    /// Keeps who is logged in, with the token of the server.
    func keep(userName: String, token: String) async throws(ViperError)

    /// Forgets who is logged in.
    func forget() async throws(ViperError)
}

/// Keeps user name and token in the module's credential store. The password is kept nowhere.
struct AccountLocalDataManager: AccountLocalDataManaging {
    let store: any CredentialStore

    func userName() async throws(ViperError) -> String? { try await store.credential()?.user }

    func keep(userName: String, token: String) async throws(ViperError) {
        try await store.keep(Credential(user: userName, secret: token))
    }

    func forget() async throws(ViperError) { try await store.remove() }
}
