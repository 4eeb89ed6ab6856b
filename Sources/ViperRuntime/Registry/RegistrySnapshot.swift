/// The registry at one moment. A value: it never changes, and reading it waits for nobody.
public struct RegistrySnapshot: Sendable {
    /// All modules, sorted by name.
    public let modules: [ModuleRecord]
    /// Who answers which route.
    public let routes: RouteTable
    /// The services that the host itself provides.
    public var hostServices: Set<String> { wiring.hostServices }
    let wiring: ServiceWiring

    init(records: [ModuleRecord], wiring: ServiceWiring) {
        modules = records.sorted { ($0.name, $0.file) < ($1.name, $1.file) }
        routes = RouteTable(modules)
        self.wiring = wiring
    }

    /// The module from this manifest file.
    public func module(from file: String) -> ModuleRecord? { modules.first { $0.file == file } }

    /// The modules that provide what this one requires. Each is alone in that: the resolution has seen to it.
    func providers(for record: ModuleRecord) -> [ModuleRecord] {
        let needed = Set(record.manifest?.requires ?? [])
        return modules.filter { candidate in
            guard candidate.state == .resolved || candidate.state == .active,
                let provides = candidate.manifest?.provides
            else { return false }
            return provides.contains { needed.contains($0) && wiring.uses(candidate.name, for: $0) }
        }
    }

    /// All services, sorted by name: who provides and who requires them.
    public var services: [ServiceRecord] {
        let manifests = modules.filter { $0.state != .retired }.compactMap(\.manifest)
        let names = hostServices.union(manifests.flatMap { $0.provides + $0.requires })
        return names.sorted().map { name in
            ServiceRecord(
                name: name,
                providers: (hostServices.contains(name) ? ["host"] : [])
                    + manifests.filter { $0.provides.contains(name) }.map(\.name),
                consumers: manifests.filter { $0.requires.contains(name) }.map(\.name))
        }
    }
}

/// A service as the manifests tell of it.
public struct ServiceRecord: Sendable, Equatable {
    /// The service's name.
    public let name: String
    /// The names of the modules that provide it; `host` stands for the host itself.
    public let providers: [String]
    /// The names of the modules that require it.
    public let consumers: [String]
}
