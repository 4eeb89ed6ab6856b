public import ModuleCatalog

/// A table of all routes and the modules that claim them. It is part of a registry's snapshot.
public struct RouteTable: Sendable {
    /// A route and the modules that claim it. It is a class, so that a lookup retains a single object.
    public final class Entry: Sendable {
        /// The route, as declared by the first module in ``claimants``.
        public let route: Manifest.Route
        /// The manifest files of the modules that claimed the route first, sorted. If no module has claimed it, the
        /// files of all modules that declare it. The array has one element unless the route is contested.
        public let claimants: [String]
        /// The name of the module with the first manifest file in ``claimants``.
        public let module: String

        /// The manifest files of the modules that claimed the route too late to own it, sorted.
        public let losingClaimants: [String]

        /// True if several modules claimed the route at the same time. In this case, no module owns the route.
        public var isContested: Bool { claimants.count > 1 }

        fileprivate init(_ route: Manifest.Route, claimants: [String], module: String, losingClaimants: [String]) {
            (self.route, self.claimants) = (route, claimants)
            (self.module, self.losingClaimants) = (module, losingClaimants)
        }
    }

    private let entries: [String: Entry]
    /// The names of the routes that each module claimed too late to own, keyed by manifest file.
    private let lost: [String: [String]]

    private typealias Claim = (module: Int, route: Manifest.Route)

    init(_ modules: ModuleTable) {
        var claims: [String: [Claim]] = [:]
        for (index, module) in modules.enumerated() where module.state != .retired {
            for route in module.manifest?.routes ?? [] { claims[route.name, default: []].append((index, route)) }
        }
        entries = claims.mapValues { Self.entry($0, modules) }
        lost = entries.values.reduce(into: [:]) { lost, entry in
            for file in entry.losingClaimants { lost[file, default: []].append(entry.route.name) }
        }
    }

    private static func entry(_ claims: [Claim], _ modules: ModuleTable) -> Entry {
        if claims.count == 1 {
            let module = modules[claims[0].module]
            return Entry(claims[0].route, claimants: [module.file], module: module.name, losingClaimants: [])
        }
        func since(_ claim: Claim) -> Int? { modules[claim.module].claims[claim.route.name] }
        // A module that was never resolved has no claim. It must not make the route of a usable module contested.
        let usable = claims.filter { since($0) != nil }
        // A module that claims the route later must not make it contested either.
        let first = usable.compactMap(since).min()
        let owners = usable.filter { since($0) == first }
        let counted = (owners.isEmpty ? claims : owners).sorted { modules[$0.module].file < modules[$1.module].file }
        let late = usable.filter { since($0) != first }
        return Entry(
            counted[0].route, claimants: counted.map { modules[$0.module].file },
            module: modules[counted[0].module].name, losingClaimants: late.map { modules[$0.module].file }.sorted())
    }

    /// All routes, sorted by name.
    public var all: [Entry] { entries.values.sorted { $0.route.name < $1.route.name } }

    public var count: Int { entries.count }

    public subscript(name: String) -> Entry? { entries[name] }

    /// Returns the routes that a module claimed too late, sorted by name.
    func lost(by file: String) -> [Entry] { lost[file, default: []].sorted().compactMap { entries[$0] } }

    var names: some Sequence<String> { entries.keys }
}
