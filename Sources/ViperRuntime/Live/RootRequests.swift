import ModuleCatalog
import Synchronization
import ViperKit

/// What the users of a running host have asked for, besides the root's files.
final class RootRequests: Sendable {
    private struct State {
        /// The modules that `host.json` disabled when it was last valid.
        var disabled: Set<String> = []
        /// The number of requests to load a module again, keyed by manifest file.
        var reloads: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// Returns the modules that the root's `host.json` disables. If it is invalid, returns those of the last time.
    func disabled(in root: Root) -> Set<String> {
        let settings = try? Settings(reading: root)
        return state.withLock { state in
            if let settings { state.disabled = settings.disabled }
            return state.disabled
        }
    }

    func reloads(of file: String) -> Int { state.withLock { $0.reloads[file, default: 0] } }

    /// Asks for another generation of a module, although its files have not changed.
    func reload(_ file: String) { state.withLock { $0.reloads[file, default: 0] += 1 } }
}
