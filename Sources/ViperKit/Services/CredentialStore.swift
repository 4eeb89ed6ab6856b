/// Keeps what a module needs to prove who somebody is, in a file that only the user who runs the host may read (mode 0600).
///
/// Each module has a store of its own. Works off the main actor; safe from many tasks at once.
public protocol CredentialStore: Sendable {
    /// The credential that is kept, or nil.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when it cannot be read.
    func credential() async throws(ViperError) -> Credential?

    /// Keeps a credential in place of any other. It survives a crash of the process once the call has returned.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when it cannot be written; what was kept before is kept still.
    func keep(_ credential: Credential) async throws(ViperError)

    /// Removes the credential, if there is one.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when it cannot be removed.
    func remove() async throws(ViperError)
}

/// Who somebody is, and what proves it. Not `Codable`, and printed without the secret, so that it gets into no JSON, log or error.
public struct Credential: Sendable, Equatable {
    /// The name that the person logs in with.
    public var user: String
    /// What proves it: a token of the server, rather than the password.
    public var secret: String

    /// A credential.
    public init(user: String, secret: String) { (self.user, self.secret) = (user, secret) }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The user alone.
    public var description: String { "the credential of \(user)" }
    /// The user alone: `dump` and the failures of tests show no secret.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

extension ServiceKey where Service == any CredentialStore {
    /// The module's credentials, `credential-store` in manifests. The host provides it.
    public static var credentialStore: Self { Self("credential-store") }
}
