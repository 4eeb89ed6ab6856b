import ModuleCatalog
public import ViperKit

/// The modules that services come from. Part of a registry's snapshot.
///
/// A module that can do without a service goes without it if the service's provider needs that module itself: each would wait for the
/// other one.
struct ServiceOffers: Sendable {
    /// The usable providers of one service, as far as somebody may be given it by them.
    struct Offer: Sendable {
        /// The provider that came first.
        var first: Int
        /// The provider that came next, for the first one itself.
        var second: Int?
        /// The first provider that needs no module of those that the first one needs and that need it.
        var other: Int?
    }

    let offers: [String: Offer]
    /// All modules that provide a service and are not retired.
    let providers: [String: [Int]]
    /// Which modules need each other. Nil if no module needs another one that it could do without.
    let graph: RequirementGraph?

    init(of modules: [ModuleRecord], _ wiring: ServiceWiring) {
        var providers: [String: [Int]] = [:]
        for (index, module) in modules.enumerated() where module.state != .retired {
            for service in module.manifest?.provides ?? [] where wiring.uses(module.name, for: service) {
                providers[service, default: []].append(index)
            }
        }
        let manifests = modules.map { $0.state == .retired ? nil : $0.manifest }
        let hasOptions = manifests.contains { $0?.optional.contains { providers[$0] != nil } ?? false }
        let graph =
            hasOptions
            ? RequirementGraph(needs: manifests.map { $0.map { $0.requires + $0.optional } ?? [] }) {
                providers[$0, default: []]
            } : nil
        self.graph = graph
        self.providers = providers
        offers = providers.compactMapValues { indices in
            let usable = indices.filter { modules[$0].state == .resolved || modules[$0].state == .active }
                .sorted { (modules[$0].arrival, $0) < (modules[$1].arrival, $1) }
            guard let first = usable.first else { return nil }
            return Offer(
                first: first, second: usable.dropFirst().first,
                other: graph.flatMap { graph in usable.first { !graph.needEachOther($0, first) } })
        }
    }
}

extension RegistrySnapshot {
    /// The modules that provide what this one requires, and what it can do without, by the services' names.
    package func providers(for record: ModuleRecord) -> [String: ModuleRecord] {
        guard let manifest = record.manifest else { return [:] }
        let required = manifest.requires.compactMap { service in
            provider(of: service, for: record).map { (service, modules[$0]) }
        }
        let optional = manifest.optional.compactMap { service in
            provider(of: service, for: record, isOptional: true).map { (service, modules[$0]) }
        }
        return Dictionary(required + optional) { first, _ in first }
    }

    /// The module that gives a service to another one. Of several the one that came first: the resolution has seen to it that there is
    /// one.
    private func provider(of service: String, for record: ModuleRecord, isOptional: Bool = false) -> Int? {
        guard let offer = offers.offers[service] else { return nil }
        let own = places[record.file]
        if isOptional, let graph = offers.graph, let own, graph.needEachOther(own, offer.first) { return offer.other }
        return offer.first == own ? offer.second : offer.first
    }

    /// The errors for the optional services that a module goes without because each provider needs the module itself.
    package func withheldServices(from record: ModuleRecord) -> [String: ViperError] {
        guard let own = places[record.file], let manifest = record.manifest else { return [:] }
        // The way and the fix depend on the provider alone.
        var reasons: [Int: (cause: String, mend: String?)] = [:]
        return manifest.optional.reduce(into: [:]) { errors, service in
            guard let offer = offers.offers[service], provider(of: service, for: record, isOptional: true) == nil,
                let provider = offer.first == own ? offer.second : offer.first,
                let reason = reasons[provider] ?? reason(for: provider, needing: own)
            else { return }
            reasons[provider] = reason
            errors[service] = ViperError(
                .serviceMissing, "cannot give service", service, cause: reason.cause,
                notes: [.init("asked for by", "module \(record.name) → \(service)")], mend: reason.mend)
        }
    }

    /// Why a module gets no service of a provider: the way on which the provider needs the module itself.
    private func reason(for provider: Int, needing module: Int) -> (cause: String, mend: String?)? {
        guard let way = offers.graph?.way(from: provider, to: module) else { return nil }
        let (name, needed) = (modules[provider].name, modules[module].name)
        let names = [needed] + way.map { $0.map { modules[$0].name } ?? "…" }
        return (
            "its provider \"\(name)\" needs \"\(needed)\" itself: " + names.joined(separator: " → "),
            way[1].map { removal(of: $0, from: modules[provider]) }
        )
    }

    /// The maximum number of services in one fix.
    private static let listLimit = 10

    /// What makes a module do without another one.
    private func removal(of provider: Int, from record: ModuleRecord) -> String {
        guard let manifest = record.manifest else { return "" }
        let parts = [("requires", manifest.requires), ("optional", manifest.optional)].compactMap { key, services in
            // No more are searched for than are shown.
            let found = services.lazy.filter { offers.providers[$0, default: []].contains(provider) }
                .prefix(Self.listLimit + 1).map { "\"\($0)\"" }
            if found.isEmpty { return String?.none }
            let names = found.prefix(Self.listLimit) + (found.count > Self.listLimit ? ["…"] : [])
            return "\(names.joined(separator: ", ")) from \"\(key)\""
        }
        return "remove \(parts.joined(separator: " and ")) in \(record.file)"
    }

    /// All services, sorted by name: who provides and who requires them.
    public var services: [ServiceRecord] {
        var records: [String: ServiceRecord] = [:]
        for name in hostServices.union(wiring.replaceable.keys) {
            let provider = wiring.replaceable[name] ?? "host"
            records[name, default: ServiceRecord(name)].providers.append(provider)
            if hostServices.contains(name) { records[name]?.selected = provider }
        }
        for module in modules where module.state != .retired {
            guard let manifest = module.manifest else { continue }
            for name in manifest.provides { records[name, default: ServiceRecord(name)].providers.append(module.name) }
            for name in manifest.requires + manifest.optional {
                records[name, default: ServiceRecord(name)].consumers.append(module.name)
            }
            for (name, error) in withheldServices(from: module) { records[name]?.withheld[module.name] = error }
        }
        for (name, offer) in offers.offers {
            let isTie = offer.second.map { modules[$0].arrival == modules[offer.first].arrival } ?? false
            if !isTie { records[name]?.selected = modules[offer.first].name }
        }
        return records.values.sorted { $0.name < $1.name }
    }
}

/// A service as the manifests tell of it.
public struct ServiceRecord: Sendable, Equatable {
    /// The service's name.
    public let name: String
    /// The names of those that provide it, as `--use` takes them. `host` stands for the host itself where nobody else can be chosen.
    public var providers: [String] = []
    /// The provider that modules get it from. Nil if nobody provides it, or nobody was chosen among several.
    public var selected: String?
    /// The names of the modules that require it.
    public var consumers: [String] = []
    /// Why some of these go without it, by their names.
    public var withheld: [String: ViperError] = [:]

    init(_ name: String) { self.name = name }
}
