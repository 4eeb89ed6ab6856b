/// A store for one credential. It uses a file that only the user who runs the host can read (mode 0600).
///
/// Each module has its own store. All methods run off the main actor and may be called concurrently.
public protocol CredentialStore: Sendable {
    /// Returns the stored credential, or nil if there is none.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the store cannot be read, or ``ViperError/Code/jsonInvalid`` if its
    ///   content is damaged.
    func credential() async throws(ViperError) -> Credential?

    /// Stores a credential, and replaces any previously stored credential. After this method returns, the credential
    /// survives a crash.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the store cannot be written. The previous credential is then kept.
    func save(_ credential: Credential) async throws(ViperError)

    /// Removes the stored credential. Does nothing if no credential is stored.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the credential cannot be removed.
    func remove() async throws(ViperError)

    /// Replaces the stored credential, unless it has changed since the caller has read it. Available since ViperKit 1.1.
    ///
    /// The store compares and replaces in one step. Other generations of the module, its worker, and other hosts use the
    /// same store, so a caller of ``credential()`` and ``save(_:)`` can lose their changes. A module that changes a part of
    /// its credential reads it, calls this method, and repeats both while the result is false.
    ///
    /// - Parameters:
    ///   - old: The credential that the caller has read. Nil to expect none. A damaged credential counts as none.
    ///   - new: The new credential. Nil to remove the stored one.
    /// - Returns: True if the credential was replaced, which then survives a crash. False if the stored credential is not
    ///   `old`, byte for byte. It is then kept.
    /// - Throws: ``ViperError/Code/storeFailed`` if the store cannot be read or written, or has no such step. The stored
    ///   credential is then kept.
    func replace(_ old: Credential?, with new: Credential?) async throws(ViperError) -> Bool
}

extension CredentialStore {
    /// Throws, because ``credential()`` and ``save(_:)`` together are not one step.
    public func replace(_ old: Credential?, with new: Credential?) async throws(ViperError) -> Bool {
        throw ViperError(
            .storeFailed, operation: "cannot replace credential in", subject: "\(type(of: self))",
            cause: "this store cannot compare and replace in one step",
            fix: "implement replace(_:with:) of CredentialStore, which ViperKit 1.1 has added")
    }
}

/// A user name and a secret that proves the user's identity.
///
/// To keep the secret out of JSON, logs and errors, this type is not `Codable`, and its description omits the secret.
public struct Credential: Sendable, Equatable {
    /// The user's login name.
    public var user: String
    /// The secret. Store a token from the server here, not the user's password.
    public var secret: String

    /// Creates a credential.
    public init(user: String, secret: String) { (self.user, self.secret) = (user, secret) }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// A description without the secret.
    public var description: String { "the credential of \(user)" }
    /// A mirror without the secret, so that `dump` and test failures do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

extension ServiceKey where Service == any CredentialStore {
    /// The module's credential store, named `credential-store` in manifests. The host provides this service.
    public static var credentialStore: Self { Self("credential-store") }
}
