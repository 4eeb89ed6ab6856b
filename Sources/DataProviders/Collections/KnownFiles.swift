import HostSystem
import Synchronization

/// The files of collections that observers know: as of the first read or check after the observation began, or of the
/// last reported change.
final class KnownFiles: Sendable {
    private let identities = Mutex<[String: FileIdentity?]>([:])

    /// Remembers a file, unless an earlier one is known. Nil stands for a missing file.
    func add(_ collection: String, _ identity: @autoclosure () -> FileIdentity?) {
        guard identities.withLock({ $0[collection] == nil }) else { return }
        let identity = identity()
        identities.withLock { if $0[collection] == nil { $0[collection] = .some(identity) } }
    }

    /// Remembers a file.
    ///
    /// - Returns: True if another one was known.
    @discardableResult
    func replace(_ collection: String, by identity: FileIdentity?) -> Bool {
        identities.withLock { identities in
            let known = identities.updateValue(identity, forKey: collection)
            return known.map { $0 != identity } ?? false
        }
    }

    func forget(_ collection: String) { identities.withLock { _ = $0.removeValue(forKey: collection) } }
}
