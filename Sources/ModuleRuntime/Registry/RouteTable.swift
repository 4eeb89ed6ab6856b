public import ModuleCatalog

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
    /// The names of the routes that modules claimed too late, by the manifest files.
    private let lost: [String: [String]]

    private typealias Claim = (module: Int, route: Manifest.Route)

    init(_ modules: [ModuleRecord]) {
        var claims: [String: [Claim]] = [:]
        for (index, module) in modules.enumerated() where module.state != .retired {
            for route in module.manifest?.routes ?? [] { claims[route.name, default: []].append((index, route)) }
        }
        entries = claims.mapValues { Self.entry($0, modules) }
        lost = entries.values.reduce(into: [:]) { lost, entry in
            for file in entry.latecomers { lost[file, default: []].append(entry.route.name) }
        }
    }

    private static func entry(_ claims: [Claim], _ modules: [ModuleRecord]) -> Entry {
        func since(_ claim: Claim) -> Int? { modules[claim.module].claims[claim.route.name] }
        // A module that is refused for its manifest claims nothing that another one has: it must not take it down.
        let usable = claims.filter { since($0) != nil }
        // Who came first keeps it: a newcomer must not take it down either.
        let first = usable.compactMap(since).min()
        let owners = usable.filter { since($0) == first }
        let counted = (owners.isEmpty ? claims : owners).sorted { modules[$0.module].file < modules[$1.module].file }
        let late = usable.filter { since($0) != first }
        return Entry(
            route: counted[0].route, claimants: counted.map { modules[$0.module].file },
            module: modules[counted[0].module].name, latecomers: late.map { modules[$0.module].file }.sorted())
    }

    /// All routes, sorted by name.
    public var all: [Entry] { entries.values.sorted { $0.route.name < $1.route.name } }

    /// The number of routes.
    public var count: Int { entries.count }

    /// The route with this name.
    public subscript(name: String) -> Entry? { entries[name] }

    /// The routes that a module claimed after another one had them, sorted by name.
    func lost(by file: String) -> [Entry] { lost[file, default: []].sorted().compactMap { entries[$0] } }

    var names: some Sequence<String> { entries.keys }
}
