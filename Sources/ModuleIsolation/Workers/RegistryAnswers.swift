import HostSystem
import JSONRPC
import ModuleRuntime
import Synchronization
import ViperKit

/// The parameters of `registry`, by which a worker reads the registry of the host that started it.
struct RegistryCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case list, point }

    enum List: String, NamedCase, Sendable {
        case modules, routes, services, contributions, metrics, graph
        static var noun: String { "list" }
    }

    var list: List
    /// The point of the contributions. Nil for another list.
    var point: String?
}

/// Answers a worker's calls about the registry of this host, and tells the worker about changes once it subscribes.
final class RegistryAnswers: Sendable {
    private let registry: RegistryReader
    private let following = Mutex<Task<Void, Never>?>(nil)

    init(_ registry: RegistryReader) { self.registry = registry }

    deinit { following.withLock { $0 }?.cancel() }

    /// Returns the answer to a call. Returns nil if the method is not about the registry.
    func answer(
        _ method: String, _ content: MessageContent, over peer: Peer
    ) throws(ViperError) -> Peer.Answer? {
        switch method {
        case "registry":
            let call = try content.parameters(RegistryCall.self)
            return .later { [registry] () async throws(ViperError) -> any Encodable & Sendable in
                switch call.list {
                case .modules: registry.modules()
                case .routes: registry.routes()
                case .services: registry.services()
                case .contributions: registry.contributions(to: call.point ?? "")
                case .metrics: await registry.metrics()
                case .graph: await registry.graph()
                }
            }
        case "subscribe":
            let task = follow(peer)
            let unused = following.withLock { following in
                defer { following = following ?? task }
                return following == nil ? nil : task
            }
            unused?.cancel()
            return .now(EmptyPayload())
        default: return nil
        }
    }

    private func follow(_ peer: Peer) -> Task<Void, Never> {
        let changes = registry.changes()
        return Task { [weak peer] in
            // This cannot fail, because the notification is short.
            for await _ in changes { try? peer?.notify("registry", EmptyPayload()) }
        }
    }
}
