import Synchronization

/// The libraries that the manifests of a root refer to.
final class ReferencedLibraries: Sendable {
    private struct State {
        var names: Set<String> = []
        var contracts: [String: Manifest] = [:]
    }

    private let state = Mutex(State())

    var names: Set<String> {
        get { state.withLock { $0.names } }
        set { state.withLock { $0.names = newValue } }
    }

    /// The contracts in the root, keyed by the name of the library.
    var contracts: [String: Manifest] {
        get { state.withLock { $0.contracts } }
        set { state.withLock { $0.contracts = newValue } }
    }
}
