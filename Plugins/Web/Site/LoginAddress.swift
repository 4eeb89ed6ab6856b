import Synchronization

/// The address by which one browser logs in, once.
final class LoginAddress: Sendable {
    static let path = "/_login/"

    private let secret = Mutex(Secret.make())

    /// The path of the current address.
    var path: String { Self.path + secret.withLock { $0 } }

    /// Returns true if a path is that of the current address.
    func matches(_ path: Substring) -> Bool { secret.withLock { Secret.isEqual(path, Self.path + $0) } }

    /// Returns true if a path is that of the current address, and replaces the address.
    func use(_ path: Substring) -> Bool {
        secret.withLock { secret in
            guard Secret.isEqual(path, Self.path + secret) else { return false }
            secret = Secret.make()
            return true
        }
    }
}
