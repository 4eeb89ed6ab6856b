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

        /// The manifest files of modules that came later and are refused for this route, sorted.
        public let latecomers: [String]

        /// Whether several modules that came together claim the route, so that none of them gets it.
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
            let usable = claims.filter { $0.record.claims[$0.route.name] != nil }
            // Who came first keeps it: a newcomer must not take it down either.
            let first = usable.compactMap { $0.record.claims[$0.route.name] }.min()
            let owners = usable.filter { $0.record.claims[$0.route.name] == first }
            let counted = (owners.isEmpty ? claims : owners).sorted { $0.record.file < $1.record.file }
            let late = usable.filter { $0.record.claims[$0.route.name] != first }
            return Entry(
                route: counted[0].route, claimants: counted.map(\.record.file), module: counted[0].record.name,
                latecomers: late.map(\.record.file).sorted())
        }
    }

    /// All routes, sorted by name.
    public var all: [Entry] { entries.values.sorted { $0.route.name < $1.route.name } }

    /// The route with this name.
    public subscript(name: String) -> Entry? { entries[name] }

    var names: some Sequence<String> { entries.keys }
}
