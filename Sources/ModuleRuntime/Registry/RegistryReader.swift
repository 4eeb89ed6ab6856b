package import ModuleCatalog
package import ViperKit

/// The registry as modules see it.
package struct RegistryReader: ModuleRegistry {
    let registry: Registry
    /// Returns true if a module runs in a worker.
    let isIsolated: @Sendable (Manifest) -> Bool
    let picture = LastPicture()

    package init(_ registry: Registry, isIsolated: @escaping @Sendable (Manifest) -> Bool) {
        (self.registry, self.isIsolated) = (registry, isIsolated)
    }

    package func modules() -> [ListedModule] {
        registry.snapshot.modules.map { record in
            var module = ListedModule(
                name: record.name, version: record.manifest?.version,
                state: ListedModule.State(rawValue: record.state.name),
                error: record.state.refusal ?? record.rejection, run: record.run)
            let (history, numbers) = (record.history, record.history.numbers)
            (module.statistics.calls, module.statistics.failures) = (numbers.calls, numbers.failures)
            (module.statistics.time, module.statistics.openScenes) = (numbers.time, history.openScenes)
            module.statistics.loads = history.loads
            return module
        }
    }

    package func routes() -> [ListedRoute] {
        let snapshot = registry.snapshot
        return snapshot.routes.all.compactMap { entry in
            guard !entry.isContested, snapshot.module(from: entry.file)?.state.isUsable == true else { return nil }
            return ListedRoute(name: entry.route.name, summary: entry.route.summary, module: entry.module)
        }
    }

    package func services() -> [ListedService] {
        registry.snapshot.services.map { record in
            var service = ListedService(
                name: record.name, selected: record.selected, providers: record.providers, consumers: record.consumers)
            (service.collectors, service.choices) = (record.collectors, record.choices)
            return service
        }
    }

    /// Returns what the usable modules contribute to a point, without decoding it.
    package func contributions(to point: String) -> [ContributionText] { registry.snapshot.contributions(to: point) }

    package func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) -> [Contribution<Value>] {
        contributions(to: point).map { $0.decoded(as: type) }
    }

    package func changes() -> AsyncStream<Void> { registry.changeSignals() }
}
