/// The registry at one moment. A value: it never changes, and reading it waits for nobody.
public struct RegistrySnapshot: Sendable {
    /// All modules, sorted by name.
    public let modules: [ModuleRecord]
    /// Who answers which route.
    public let routes: RouteTable
    /// The services that the host itself provides.
    public var hostServices: Set<String> { wiring.hostServices }
    let wiring: ServiceWiring
    /// The places of the modules in `modules`, by their manifest files.
    let places: [String: Int]
    /// The modules that services come from.
    let offers: ServiceOffers

    /// - Parameter earlier: The snapshot before, whose tables are kept if they would be the same: most steps change a state only, and
    ///   the tables are as large as all manifests together.
    init(records: [ModuleRecord], wiring: ServiceWiring, after earlier: RegistrySnapshot? = nil) {
        modules = records.sorted { ($0.name, $0.file) < ($1.name, $1.file) }
        places = Dictionary(modules.enumerated().map { ($1.file, $0) }) { first, _ in first }
        if let earlier, earlier.modules.elementsEqual(modules, by: Self.haveSameDeclarations) {
            (routes, offers) = (earlier.routes, earlier.offers)
        } else {
            routes = RouteTable(modules)
            offers = ServiceOffers(of: modules, wiring)
        }
        self.wiring = wiring
    }

    /// True if two records count the same for routes and services.
    private static func haveSameDeclarations(_ left: ModuleRecord, _ right: ModuleRecord) -> Bool {
        // A revision has one manifest, and its claims are only added to.
        left.file == right.file && left.revision == right.revision && left.claims.count == right.claims.count
            && left.state.isUsable == right.state.isUsable && (left.state == .retired) == (right.state == .retired)
    }

    /// The module from this manifest file.
    public func module(from file: String) -> ModuleRecord? { places[file].map { modules[$0] } }

    /// The routes of a module that others had before it, sorted by name.
    public func lostRoutes(of record: ModuleRecord) -> [RouteTable.Entry] { routes.lost(by: record.file) }
}
