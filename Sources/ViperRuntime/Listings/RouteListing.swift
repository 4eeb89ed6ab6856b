package import ModuleCatalog
package import ModuleRuntime

/// A list of all registered routes.
package struct RouteListing: Listing {
    package struct Entry: Codable, Sendable, Equatable {
        /// The route's name.
        package var route: String
        /// The route's parameters, as help output shows them.
        package var usage: String
        /// The route's parameters, as in the manifest.
        package var parameters: [Manifest.Parameter]
        /// The name of the module that provides the route. For a contested route, the names of the modules that
        /// claim it, separated by commas.
        package var module: String
        /// The state of the module that provides the route, or `contested`.
        package var state: String
        /// The route's summary in the manifest.
        package var summary: String
        /// The manifest files of the modules that claim the route. Nil unless the route is contested.
        package var contestedBy: [String]?
        /// The modules that guard the route, in the order in which they are asked. Nil if there is none.
        package var guards: [String]?
    }

    package static var method: String { "routes" }

    /// The routes, sorted by name.
    package var entries: [Entry]

    package init(of host: ViperHost) {
        self.init(of: host.registry.snapshot)
        for index in entries.indices {
            let guards = host.router.modules(guarding: entries[index].route)
            if !guards.isEmpty { entries[index].guards = guards }
        }
    }

    /// Creates a list of the routes in a snapshot, without their guards.
    package init(of snapshot: RegistrySnapshot) {
        entries = snapshot.routes.all.map { entry in
            let state = snapshot.module(from: entry.file)?.state.name ?? "unknown"
            return Entry(
                route: entry.route.name, usage: entry.route.usage, parameters: entry.route.parameters,
                module: entry.isContested ? snapshot.claimantNames(of: entry).joined(separator: ", ") : entry.module,
                state: entry.isContested ? "contested" : state, summary: entry.route.summary,
                contestedBy: entry.isContested ? entry.claimants : nil)
        }
    }

    package init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    package func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

extension RegistrySnapshot {
    /// Returns the names of the modules that claim a route, sorted. If there are many, the last element stands for the
    /// others.
    func claimantNames(of entry: RouteTable.Entry) -> [String] {
        let names = Set(entry.claimants.compactMap { self.module(from: $0)?.name }).sorted()
        let limit = 5
        return names.count > limit ? names.prefix(limit) + ["…"] : names
    }
}
