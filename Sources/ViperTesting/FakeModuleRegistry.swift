import HostSystem
import Synchronization
public import ViperKit

/// A registry whose contributions a test defines. It has no modules, routes and services of its own.
public final class FakeModuleRegistry: ModuleRegistry {
    private struct State {
        /// The contributions as JSON texts, keyed by module, then by point.
        var contributions: [String: [String: [String]]]
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
    }

    private let state: Mutex<State>

    /// Creates a registry with contributions.
    ///
    /// - Parameter contributions: The contributions as JSON texts, keyed by module, then by point, such as
    ///   `["people": ["menu": [#"{"title": "People", "route": "people"}"#]]]`.
    public init(_ contributions: [String: [String: [String]]] = [:]) {
        state = Mutex(State(contributions: contributions))
    }

    /// The contributions as JSON texts, keyed by module, then by point. Setting them is a change of the registry.
    public var contributions: [String: [String: [String]]] {
        get { state.withLock(\.contributions) }
        set {
            let listeners = state.withLock { state in
                state.contributions = newValue
                return state.listeners.values
            }
            // A task that is being cancelled removes its listener, and waits for the lock while doing so.
            for listener in listeners { listener.yield() }
        }
    }

    /// The number of sequences of changes that are still read.
    public var listenerCount: Int { state.withLock(\.listeners.count) }

    public func modules() async throws(ViperError) -> [ListedModule] { [] }

    public func routes() async throws(ViperError) -> [ListedRoute] { [] }

    public func services() async throws(ViperError) -> [ListedService] { [] }

    public func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) async throws(ViperError) -> [Contribution<Value>] {
        contributions.sorted { $0.key < $1.key }.flatMap { module, points in
            points[point, default: []].map { text in
                Contribution(
                    module: module,
                    value: Result { () throws(ViperError) in
                        try FoundationJSONCoder().decode(type, from: Array(text.utf8), named: "\(module) \(point)")
                    })
            }
        }
    }

    public func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
            continuation.yield()
        }
    }
}
