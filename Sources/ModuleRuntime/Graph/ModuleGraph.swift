/// The modules of a host, and what each needs from others.
package struct ModuleGraph: Encodable, Sendable {
    /// A module, with what its manifest declares.
    package struct Module {
        package var name: String
        package var version: String?
        package var state: String
        package var isIsolated: Bool
        /// The points to which the module contributes, sorted.
        package var points: [String] = []
        /// The contracts that the module uses, sorted.
        package var contracts: [String] = []
        /// The routes of other modules that the module opens.
        package var opens: [String] = []

        package init(name: String, version: String?, state: String, isIsolated: Bool) {
            (self.name, self.version, self.state, self.isIsolated) = (name, version, state, isIsolated)
        }
    }

    package struct Node: Encodable, Sendable {
        package let name: String
        package let version: String?
        package let state: String
        package let isIsolated: Bool
        package let routes: [String]
        /// The services that the module provides.
        package let provides: [String]
        /// The points to which the module contributes.
        package let contributes: [String]
        /// The services and contracts that the module needs and does not get.
        package var lacks: [String] = []
        /// The services that the module gets from the host itself.
        package var fromHost: [String] = []

        package var isRefused: Bool { state == "refused" }
    }

    /// A need of one module that another module meets.
    package struct Edge: Encodable, Sendable {
        package enum Kind: String, Encodable, Sendable { case service, contract, route }

        /// The module that has the need, and the module that meets it, as indices of ``nodes``.
        package let from: Int
        package let to: Int
        package let kind: Kind
        /// The names of the services, the contract, or the routes.
        package var names: [String]
    }

    package private(set) var nodes: [Node]
    /// The edges, at most one of each kind between two modules.
    package private(set) var edges: [Edge] = []

    private enum CodingKeys: CodingKey { case nodes, edges }

    /// Creates the graph of a registry.
    ///
    /// - Parameters:
    ///   - services: The services. A module does not need those that the host withholds from it.
    ///   - routes: The names of the modules, keyed by route.
    package init(_ modules: [Module], _ services: [ServiceRecord], routes: [String: String]) {
        let provided = services.flatMap { service in service.providers.map { ($0, service.name) } }
        let servicesOf = Dictionary(grouping: provided, by: \.0).mapValues { $0.map(\.1) }
        let routesOf = Dictionary(grouping: routes.keys.sorted()) { routes[$0] ?? "" }
        nodes = modules.map { module in
            Node(
                name: module.name, version: module.version, state: module.state, isIsolated: module.isIsolated,
                routes: routesOf[module.name, default: []], provides: servicesOf[module.name, default: []],
                contributes: module.points)
        }
        let places = Dictionary(nodes.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var connections = Connections()
        for service in services {
            for user in service.consumers where service.withheld[user] == nil {
                guard let from = places[user] else { continue }
                let provider = service.choices[user] ?? service.selected
                if let to = provider.flatMap({ places[$0] }) {
                    connections.add(.service, from, to, service.name)
                } else if provider != nil {
                    nodes[from].fromHost.append(service.name)
                } else {
                    nodes[from].lacks.append(service.name)
                    // The providers cannot be used, or the settings must choose one.
                    for to in service.providers.compactMap({ places[$0] }) {
                        connections.add(.service, from, to, service.name)
                    }
                }
            }
            for user in service.collectors {
                for to in service.providers.compactMap({ places[$0] }) {
                    if let from = places[user] { connections.add(.service, from, to, service.name) }
                }
            }
        }
        for (from, module) in modules.enumerated() {
            for contract in module.contracts {
                if let to = places[contract] {
                    connections.add(.contract, from, to, contract)
                } else {
                    nodes[from].lacks.append(contract)
                }
            }
            for route in module.opens {
                if let to = routes[route].flatMap({ places[$0] }) { connections.add(.route, from, to, route) }
            }
        }
        edges = connections.edges
    }

    package func encode(to encoder: any Encoder) throws {
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
