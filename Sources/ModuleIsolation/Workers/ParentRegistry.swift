package import JSONRPC
import ModuleRuntime
import Synchronization
package import ViperKit

/// The registry of the host that started this worker, as the worker's module sees it.
package final class ParentRegistry: ModuleRegistry {
    private struct State {
        var peer: Peer?
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the connection to the host. The host calls the worker first, so it is set before a module is created.
    package func connect(_ peer: Peer) { state.withLock { $0.peer = peer } }

    /// Tells the modules of this worker that the host's registry has changed.
    package func change() {
        // A task that is being cancelled removes its reader, and waits for the lock while doing so.
        for reader in state.withLock({ $0.readers.values }) { reader.yield() }
    }

    package func modules() async throws(ViperError) -> [ListedModule] { try await ask(.modules) }

    package func routes() async throws(ViperError) -> [ListedRoute] { try await ask(.routes) }

    package func services() async throws(ViperError) -> [ListedService] { try await ask(.services) }

    package func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) async throws(ViperError) -> [Contribution<Value>] {
        let texts: [ContributionText] = try await ask(.contributions, point)
        return texts.map { $0.decoded(as: type) }
    }

    package func metrics() async throws(ViperError) -> String { try await ask(.metrics) }

    package func graph() async throws(ViperError) -> String { try await ask(.graph) }

    package func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, peer) = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            return (state.lastReader, state.peer)
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        // The host ignores a repeated subscription.
        try? peer?.notify("subscribe", SubscribeCall(to: [.registry]))
        continuation.yield()
        return stream
    }

    private func ask<Value: Decodable & Sendable>(
        _ list: RegistryCall.List, _ point: String? = nil
    ) async throws(ViperError) -> Value {
        guard let peer = state.withLock({ $0.peer }) else { throw .connectionLost("no host has called this worker") }
        return try await peer.call("registry", RegistryCall(list: list, point: point), as: Value.self)
    }
}
