/// Who answers which route. Part of a registry's snapshot.
public struct RouteTable: Sendable {
    /// A route and those that claim it.
    public struct Entry: Sendable {
        /// The route as its manifest declares it; of a contested route, as one of them does.
        public let route: Manifest.Route
        /// The manifest files of the modules that claim it, sorted. One, unless the route is contested.
        public let claimants: [String]
        /// The name of the first claimant's module.
        public let module: String

        /// Whether several modules claim the route, so that none of them gets it.
        public var isContested: Bool { claimants.count > 1 }
    }

    private let entries: [String: Entry]

    init(_ modules: [ModuleRecord]) {
        var claims: [String: [(record: ModuleRecord, route: Manifest.Route)]] = [:]
        for record in modules where record.state != .retired {
            for route in record.manifest?.routes ?? [] { claims[route.name, default: []].append((record, route)) }
        }
        entries = claims.mapValues { claims in
            // A module that is refused for its manifest claims nothing that another one has: it must not take it down.
            let usable = claims.filter(\.record.claimsRoutes)
            let counted = (usable.isEmpty ? claims : usable).sorted { $0.record.file < $1.record.file }
            return Entry(
                route: counted[0].route, claimants: counted.map(\.record.file), module: counted[0].record.name)
        }
    }

    /// All routes, sorted by name.
    public var all: [Entry] { entries.values.sorted { $0.route.name < $1.route.name } }

    /// The route with this name.
    public subscript(name: String) -> Entry? { entries[name] }

    var names: some Sequence<String> { entries.keys }
}
