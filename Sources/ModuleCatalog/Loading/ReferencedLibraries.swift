import Synchronization

/// The libraries that the manifests of a root refer to.
final class ReferencedLibraries: Sendable {
    private let kept = Mutex<Set<String>>([])

    var names: Set<String> {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
