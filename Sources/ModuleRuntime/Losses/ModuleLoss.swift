import ModuleCatalog
import ViperKit

/// A module that a change of other modules leaves without a service, contract or guard that it has now.
package struct ModuleLoss: Codable, Sendable, Equatable {
    package var module: String
    /// The loss as text, such as `it requires the service "people", which no module provides`.
    package var cause: String
    /// True if the module can be used without it.
    package var isUsable: Bool

    /// Returns the losses between two states of the modules, which are resolved from their manifests alone.
    ///
    /// - Parameters:
    ///   - before: The modules as they are now.
    ///   - after: The modules after the change.
    ///   - module: The name of the module that changes. It is not among the losses.
    ///   - guards: The patterns of the routes that each module guards.
    package static func all(
        from before: RegistrySnapshot, to after: RegistrySnapshot, besides module: String, guards: [String: [String]]
    ) -> [ModuleLoss] {
        let records = Dictionary(after.modules.map { ($0.name, $0) }) { first, _ in first }
        let lostGuards = GuardPatterns(
            guards.filter { name, _ in before.isGuard(name) && !after.isGuard(name) })
        return before.modules.flatMap { record -> [ModuleLoss] in
            guard record.name != module, record.state.isUsable, let next = records[record.name] else { return [] }
            if let refusal = next.state.refusal {
                return [ModuleLoss(module: record.name, cause: refusal.cause, isUsable: false)]
            }
            let (old, new) = (before.providers(for: record), after.providers(for: next))
            let services = old.keys.filter { new[$0] == nil }.sorted().map { service in
                ModuleLoss(
                    module: record.name, cause: "no other module provides its optional service \"\(service)\"",
                    isUsable: true)
            }
            return services + lost(lostGuards, of: record)
        }
    }

    private static func lost(_ guards: GuardPatterns, of record: ModuleRecord) -> [ModuleLoss] {
        if guards.isEmpty { return [] }
        let routes = Dictionary(grouping: record.manifest?.routes.map(\.name) ?? []) {
            guards.modules(guarding: $0).first
        }
        return routes.sorted { ($0.key ?? "") < ($1.key ?? "") }.compactMap { module, routes in
            module.map { module in
                ModuleLoss(
                    module: record.name,
                    cause: "nobody can open \(routes.joined(separator: ", ")) without the guard \"\(module)\"",
                    isUsable: true)
            }
        }
    }
}

extension RegistrySnapshot {
    fileprivate func isGuard(_ module: String) -> Bool {
        modules.contains { record in
            record.name == module && record.state.isUsable
                && record.manifest?.provides.contains(ServiceKey<any RouteGuard>.routeGuard.name) == true
        }
    }
}
