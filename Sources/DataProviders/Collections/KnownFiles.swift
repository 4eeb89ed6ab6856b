import HostSystem
import Synchronization

/// The identities of the collection files that observers have already seen. The first read or check of a file stores
/// its identity, and each reported change updates it.
final class KnownFiles: Sendable {
    private let identities = Mutex<[String: FileIdentity?]>([:])

    /// Stores the identity of a collection's file, unless an identity is already stored. A nil identity means that the
    /// file does not exist.
    func add(_ collection: String, _ identity: @autoclosure () -> FileIdentity?) {
        guard identities.withLock({ $0[collection] == nil }) else { return }
        let identity = identity()
        identities.withLock { if $0[collection] == nil { $0[collection] = .some(identity) } }
    }

    /// Stores the identity of a collection's file.
    ///
    /// - Returns: True if a different identity was stored before.
    @discardableResult
    func replace(_ collection: String, by identity: FileIdentity?) -> Bool {
        identities.withLock { identities in
            let known = identities.updateValue(identity, forKey: collection)
            return known.map { $0 != identity } ?? false
        }
    }
}
