/// Keeps what a module logs in with, out of everybody else's sight. Each module has a store of its own.
public protocol CredentialStore: Sendable {
    /// What was saved, or nil.
    ///
    /// - Throws: ``ViperError/Code/storeFailed``.
    func load() async throws(ViperError) -> Credential?

    /// Saves a credential in place of an earlier one. It survives a crash once this has returned.
    ///
    /// - Throws: ``ViperError/Code/storeFailed``.
    func save(_ credential: Credential) async throws(ViperError)

    /// Removes what was saved. Does nothing when there is nothing.
    ///
    /// - Throws: ``ViperError/Code/storeFailed``.
    func remove() async throws(ViperError)
}

/// A name and the secret that goes with it. Its description leaves the secret out, so that none gets into a log.
public struct Credential: Sendable, Equatable {
    /// Who.
    public var user: String
    /// A token or password.
    public var secret: String

    /// A credential.
    public init(user: String, secret: String) { (self.user, self.secret) = (user, secret) }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Credential(\(user))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

extension ServiceKey where Service == any CredentialStore {
    /// The module's credential store, `credential-store` in manifests. The host provides it.
    public static var credentialStore: Self { Self("credential-store") }
}
