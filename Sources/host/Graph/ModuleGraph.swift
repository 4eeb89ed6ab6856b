import HostSystem
import ModuleRuntime
import ViperRuntime

/// The modules of a host, and what each needs from others.
struct ModuleGraph: Encodable {
    struct Node: Encodable {
        let name: String
        let version: String?
        let state: String
        let isIsolated: Bool
        let routes: [String]
        /// The services that the module provides.
        let provides: [String]
        /// The points to which the module contributes.
        let contributes: [String]
        /// The services and contracts that the module needs and does not get.
        var lacks: [String] = []
        /// The services that the module gets from the host itself.
        var fromHost: [String] = []

        var isRefused: Bool { state == "refused" }
    }

    /// A need of one module that another module meets.
    struct Edge: Encodable {
        enum Kind: String, Encodable { case service, contract, route }

        /// The module that has the need, and the module that meets it, as indices of ``nodes``.
        let from: Int
        let to: Int
        let kind: Kind
        /// The names of the services, the contract, or the routes.
        var names: [String]
    }

    private(set) var nodes: [Node]
    /// The edges, at most one of each kind between two modules.
    private(set) var edges: [Edge] = []

    private enum CodingKeys: CodingKey { case nodes, edges }

    init(_ modules: ModuleListing, _ services: ServiceListing, _ routes: RouteListing) {
        let provided = services.entries.flatMap { entry in entry.providedBy.map { ($0, entry.service) } }
        let servicesOf = Dictionary(grouping: provided, by: \.0).mapValues { $0.map(\.1) }
        let routesOf = Dictionary(grouping: routes.entries.filter { $0.contestedBy == nil }, by: \.module)
        nodes = modules.modules.map { entry in
            Node(
                name: entry.module, version: entry.version, state: entry.state, isIsolated: entry.isolation != nil,
                routes: routesOf[entry.module, default: []].map(\.route),
                provides: servicesOf[entry.module, default: []],
                contributes: (entry.contributes ?? [:]).keys.sorted())
        }
        let places = Dictionary(nodes.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var connections = Connections()
        for entry in services.entries {
            for user in entry.requiredBy {
                guard let from = places[user], entry.withheld?[user] == nil else { continue }
                let provider = entry.choices?[user] ?? entry.selected
                if let to = provider.flatMap({ places[$0] }) {
                    connections.add(.service, from, to, entry.service)
                } else if provider != nil {
                    nodes[from].fromHost.append(entry.service)
                } else {
                    nodes[from].lacks.append(entry.service)
                    // The providers cannot be used, or the settings must choose one.
                    for to in entry.providedBy.compactMap({ places[$0] }) {
                        connections.add(.service, from, to, entry.service)
                    }
                }
            }
            for user in entry.collectedBy ?? [] {
                for to in entry.providedBy.compactMap({ places[$0] }) {
                    if let from = places[user] { connections.add(.service, from, to, entry.service) }
                }
            }
        }
        let owners = Dictionary(routes.entries.map { ($0.route, $0.module) }) { first, _ in first }
        for (from, entry) in modules.modules.enumerated() {
            for contract in (entry.contracts ?? [:]).keys.sorted() {
                if let to = places[contract] {
                    connections.add(.contract, from, to, contract)
                } else {
                    nodes[from].lacks.append(contract)
                }
            }
            for route in entry.opens ?? [] {
                if let to = owners[route].flatMap({ places[$0] }) { connections.add(.route, from, to, route) }
            }
        }
        edges = connections.edges
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(nodes, forKey: .nodes)
        try values.encode(
            edges.map { NamedEdge(from: nodes[$0.from].name, to: nodes[$0.to].name, kind: $0.kind, names: $0.names) },
            forKey: .edges)
    }

    /// An edge with names in place of indices.
    private struct NamedEdge: Encodable {
        let from: String
        let to: String
        let kind: Edge.Kind
        let names: [String]
    }

    /// The edges that were found so far.
    private struct Connections {
        private struct Key: Hashable {
            let kind: Edge.Kind
            let from: Int
            let to: Int
        }

        private(set) var edges: [Edge] = []
        private var places: [Key: Int] = [:]

        mutating func add(_ kind: Edge.Kind, _ from: Int, _ to: Int, _ name: String) {
            if from == to { return }
            let key = Key(kind: kind, from: from, to: to)
            if let place = places[key] {
                edges[place].names.append(name)
            } else {
                places[key] = edges.count
                edges.append(Edge(from: from, to: to, kind: kind, names: [name]))
            }
        }
    }
}
