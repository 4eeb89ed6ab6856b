package import ModuleCatalog

/// A table of all routes and the modules that claim them. It is part of a registry's snapshot.
package final class RouteTable: Sendable {
    /// A place in the table. It retains only the table, and reads a route when one of its properties is used.
    package struct Entry: Sendable {
        fileprivate let table: RouteTable
        fileprivate let index: Int

        /// The route, as declared by the module with the manifest ``file``.
        package var route: Manifest.Route { table.claimed[index].route }
        /// The first of the ``claimants``.
        package var file: String { table.claimed[index].file }
        /// The name of the module with the manifest ``file``.
        package var module: String { table.claimed[index].module }
        /// The manifest files of the modules that claimed the route first, sorted. If no module has claimed it, the
        /// files of all modules that declare it. The array has one element unless the route is contested.
        package var claimants: [String] { [file] + table.claimed[index].rivals }
        /// True if several modules claimed the route at the same time. In this case, no module owns the route.
        package var isContested: Bool { !table.claimed[index].rivals.isEmpty }
    }

    private struct ClaimedRoute {
        var route: Manifest.Route
        var file: String
        var module: String
        /// The manifest files of the other modules that claimed the route first, sorted.
        var rivals: [String] = []
    }

    private typealias Claim = (module: ModuleRecord, route: Manifest.Route)

    private let claimed: [ClaimedRoute]
    /// Indices into `claimed`, keyed by route name.
    private let indices: [String: Int]
    /// The indices of the routes that each module claimed too late to own, keyed by manifest file.
    private let lost: [String: [Int]]

    init(_ modules: ModuleTable) {
        var claimed: [ClaimedRoute] = []
        var indices: [String: Int] = [:]
        /// The claims of routes that several modules declare.
        var claims: [Int: [Claim]] = [:]
        var owners: [Int] = []
        for (number, module) in modules.enumerated() where module.state != .retired {
            for route in module.manifest?.routes ?? [] {
                let index = indices[route.name, default: claimed.count]
                if index < claimed.count {
                    claims[index, default: [(modules[owners[index]], claimed[index].route)]].append((module, route))
                } else {
                    indices[route.name] = index
                    owners.append(number)
                    claimed.append(ClaimedRoute(route: route, file: module.file, module: module.name))
                }
            }
        }
        var lost: [String: [Int]] = [:]
        for (index, claims) in claims {
            let (winner, late) = Self.decide(claims)
            claimed[index] = winner
            for file in late { lost[file, default: []].append(index) }
        }
        (self.claimed, self.indices, self.lost) = (claimed, indices, lost)
    }

    /// Returns the claim of the module that owns a route, and the manifest files of the modules that claimed it later.
    private static func decide(_ claims: [Claim]) -> (winner: ClaimedRoute, late: [String]) {
        func since(_ claim: Claim) -> Int? { claim.module.claims[claim.route.name] }
        // A module that was never resolved has no claim. It must not make the route of a usable module contested.
        let usable = claims.filter { since($0) != nil }
        // A module that claims the route later must not make it contested either.
        let first = usable.compactMap(since).min()
        let owners = usable.filter { since($0) == first }
        let counted = (owners.isEmpty ? claims : owners).sorted { $0.module.file < $1.module.file }
        let winner = ClaimedRoute(
            route: counted[0].route, file: counted[0].module.file, module: counted[0].module.name,
            rivals: counted.dropFirst().map(\.module.file))
        return (winner, usable.filter { since($0) != first }.map(\.module.file))
    }

    /// All routes, sorted by name.
    package var all: [Entry] { sorted(indices.values) }

    /// The contested routes, in no particular order.
    package var contested: [Entry] {
        claimed.indices.filter { !claimed[$0].rivals.isEmpty }.map { Entry(table: self, index: $0) }
    }

    package var count: Int { claimed.count }

    package subscript(name: String) -> Entry? { indices[name].map { Entry(table: self, index: $0) } }

    /// Returns the routes that a module claimed too late, sorted by name.
    func lost(by file: String) -> [Entry] { sorted(lost[file, default: []]) }

    private func sorted(_ indices: some Sequence<Int>) -> [Entry] {
        indices.sorted { claimed[$0].route.name < claimed[$1].route.name }.map { Entry(table: self, index: $0) }
    }

    var names: some Sequence<String> { indices.keys }
}
