import HostSystem
import ModuleCatalog
import ViperKit

/// The registry as modules see it.
struct RegistryReader: ModuleRegistry {
    let registry: Registry

    func modules() -> [ListedModule] {
        registry.snapshot.modules.map { record in
            ListedModule(
                name: record.name, version: record.manifest?.version,
                state: ListedModule.State(rawValue: record.state.name),
                error: record.state.refusal ?? record.rejection, run: record.run)
        }
    }

    func routes() -> [ListedRoute] {
        let snapshot = registry.snapshot
        return snapshot.routes.all.compactMap { entry in
            guard !entry.isContested, snapshot.module(from: entry.file)?.state.isUsable == true else { return nil }
            return ListedRoute(name: entry.route.name, summary: entry.route.summary, module: entry.module)
        }
    }

    func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) -> [Contribution<Value>] {
        Self.contributions(to: point, as: type, in: registry.snapshot)
    }

    /// Returns what the usable modules of a snapshot contribute to a point.
    static func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type, in snapshot: RegistrySnapshot
    ) -> [Contribution<Value>] {
        let coder = FoundationJSONCoder()
        return snapshot.modules.flatMap { record -> [Contribution<Value>] in
            guard record.state.isUsable, let texts = record.manifest?.contributes[point] else { return [] }
            return texts.enumerated().map { index, text in
                let name = "\(record.file) $.contributes.\(point)[\(index)]"
                return Contribution(
                    module: record.name,
                    value: Result { () throws(ViperError) in
                        try coder.decode(type, from: Array(text.utf8), named: name)
                    })
            }
        }
    }

    func changes() -> AsyncStream<Void> {
        let changes = registry.changes(keeping: .bufferingNewest(1))
        // A sequence that only waits for changes would miss those before its first element is awaited.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let task = Task {
            for await _ in changes { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
