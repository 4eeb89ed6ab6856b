import ModuleCatalog

/// An immutable state of the registry. It is a class, so that readers retain a single object instead of every table.
package final class RegistrySnapshot: Sendable {
    /// All modules, sorted by name.
    package let modules: ModuleTable
    package let routes: RouteTable
    package var hostServices: Set<String> { wiring.hostServices }
    let wiring: ServiceWiring
    /// Indices into `modules`, keyed by manifest file.
    let places: [String: Int]
    let offers: ServiceOffers

    /// Creates a snapshot from records.
    ///
    /// - Parameter earlier: The previous snapshot. Its tables are reused if no declaration has changed, because
    ///   building them takes time proportional to the size of all manifests.
    init(records: [ModuleRecord], wiring: ServiceWiring, after earlier: RegistrySnapshot? = nil) {
        modules = ModuleTable(records.sorted { ($0.name, $0.file) < ($1.name, $1.file) })
        places = Dictionary(modules.enumerated().map { ($1.file, $0) }) { first, _ in first }
        if let earlier, earlier.modules.elementsEqual(modules, by: Self.haveSameDeclarations) {
            (routes, offers) = (earlier.routes, earlier.offers)
        } else {
            routes = RouteTable(modules)
            offers = ServiceOffers(of: modules, wiring)
        }
        self.wiring = wiring
    }

    /// Returns a snapshot in which records have replaced earlier ones. Returns nil if a record is new or removed, or if
    /// it declares different routes or services than before, because all modules must then be resolved.
    func replacing(_ records: [String: ModuleRecord?]) -> RegistrySnapshot? {
        var modules = modules
        for (file, record) in records {
            guard let record, record.state != .discovered, let place = places[file],
                Self.haveSameDeclarations(self.modules[place], record)
            else { return nil }
            modules[place] = record
        }
        return RegistrySnapshot(self, modules)
    }

    private init(_ earlier: RegistrySnapshot, _ modules: ModuleTable) {
        self.modules = modules
        (places, routes, offers, wiring) = (earlier.places, earlier.routes, earlier.offers, earlier.wiring)
    }

    /// Returns true if two records result in the same routes and services.
    private static func haveSameDeclarations(_ left: ModuleRecord, _ right: ModuleRecord) -> Bool {
        // The manifest of a revision never changes, and claims are never removed.
        left.file == right.file
            && (left.revision == right.revision
                ? left.claims.count == right.claims.count : left.declaresTheSame(as: right))
            && left.state.isUsable == right.state.isUsable && (left.state == .retired) == (right.state == .retired)
    }

    package func module(from file: String) -> ModuleRecord? { places[file].map { modules[$0] } }

    /// Returns the routes that a module declares but other modules claimed first, sorted by name.
    package func lostRoutes(of record: ModuleRecord) -> [RouteTable.Entry] { routes.lost(by: record.file) }

    /// Returns the routes that a module declares to open but that no module declares, in the order of its manifest.
    package func missingRoutes(of record: ModuleRecord) -> [String] {
        (record.manifest?.opens ?? []).filter { $0 != "*" && routes[$0] == nil }
    }
}
