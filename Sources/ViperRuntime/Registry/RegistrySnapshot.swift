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

    /// The modules that provide what this one requires, and what it can do without, by the services' names.
    func providers(for record: ModuleRecord) -> [String: ModuleRecord] {
        guard let manifest = record.manifest else { return [:] }
        let needed = Set(manifest.requires + manifest.optional)
        var providers: [String: ModuleRecord] = [:]
        for candidate in modules where candidate.state == .resolved || candidate.state == .active {
            for service in candidate.manifest?.provides ?? [] {
                guard needed.contains(service), candidate.file != record.file,
                    wiring.uses(candidate.name, for: service)
                else { continue }
                // What a module can do without it does without where that needs the module itself: the two could only wait for each
                // other.
                if !manifest.requires.contains(service), leads(from: candidate, to: record.file) { continue }
                // Of several the one that came first is asked; the resolution has seen to it that there is one.
                if let other = providers[service], other.arrival <= candidate.arrival { continue }
                providers[service] = candidate
            }
        }
        return providers
    }

    /// Whether a module needs another one, over those that provide for it.
    private func leads(from start: ModuleRecord, to file: String) -> Bool {
        var (waiting, seen): ([ModuleRecord], Set<String>) = ([start], [])
        while let record = waiting.popLast() {
            guard seen.insert(record.file).inserted, let manifest = record.manifest else { continue }
            let needed = Set(manifest.requires + manifest.optional)
            for other in modules where other.state != .retired {
                let isProvider = other.manifest?.provides.contains {
                    needed.contains($0) && wiring.uses(other.name, for: $0)
                }
                guard isProvider == true else { continue }
                if other.file == file { return true }
                waiting.append(other)
            }
        }
        return false
    }

    /// The routes of a module that others had before it, sorted by name.
    public func lostRoutes(of record: ModuleRecord) -> [RouteTable.Entry] {
        routes.all.filter { $0.latecomers.contains(record.file) }
    }

    /// All services, sorted by name: who provides and who requires them.
    public var services: [ServiceRecord] {
        let manifests = modules.filter { $0.state != .retired }.compactMap(\.manifest)
        let names = hostServices.union(manifests.flatMap { $0.provides + $0.requires + $0.optional })
        return names.sorted().map { name in
            ServiceRecord(
                name: name,
                providers: (hostServices.contains(name) ? ["host"] : [])
                    + manifests.filter { $0.provides.contains(name) }.map(\.name),
                consumers: manifests.filter { $0.requires.contains(name) || $0.optional.contains(name) }.map(\.name))
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
