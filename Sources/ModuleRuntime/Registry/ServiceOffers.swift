import ModuleCatalog
package import ViperKit

/// The providers of each service. This value is part of a registry's snapshot.
///
/// A module does not get an optional service from a provider that needs the module itself. Otherwise, the two modules
/// would wait for each other.
struct ServiceOffers: Sendable {
    /// The usable providers of one service.
    struct Offer: Sendable {
        /// The provider that arrived first.
        var first: Int
        /// The provider that arrived next. If `first` needs the service itself, it gets the service from this provider.
        var second: Int?
        /// The earliest provider that does not form a dependency cycle with `first`.
        var other: Int?
    }

    let offers: [String: Offer]
    /// The modules that provide each service, excluding retired modules, keyed by service name.
    let providers: [String: [Int]]
    /// The usable modules that provide each collected service, sorted by name, keyed by service name. The settings
    /// do not rule any of them out.
    let collected: [String: [Int]]
    /// The dependencies between modules. Nil if no optional service has a provider.
    let graph: RequirementGraph?

    init(of modules: ModuleTable, _ wiring: ServiceWiring) {
        let manifests = modules.map { $0.state == .retired ? nil : $0.manifest }
        let names = Set(manifests.flatMap { $0?.collects ?? [] })
        var (providers, collected) = ([String: [Int]](), [String: [Int]]())
        for (index, manifest) in manifests.enumerated() {
            guard let manifest else { continue }
            for service in wiring.offers(of: manifest) { providers[service, default: []].append(index) }
            if names.isEmpty || !modules[index].state.isUsable { continue }
            for service in manifest.provides where names.contains(service) {
                collected[service, default: []].append(index)
            }
        }
        let hasOptions = manifests.contains { manifest in
            manifest?.optional.contains { providers[wiring.need($0, of: manifest?.name ?? "")] != nil } ?? false
        }
        let graph =
            hasOptions
            ? RequirementGraph(
                needs: manifests.map { manifest in
                    manifest.map { manifest in
                        wiring.needs(of: manifest) + manifest.optional.map { wiring.need($0, of: manifest.name) }
                    } ?? []
                }
            ) { providers[$0, default: []] } : nil
        self.graph = graph
        (self.providers, self.collected) = (providers, collected)
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
    /// Returns the modules that provide a module's required and optional services, keyed by service name.
    package func providers(for record: ModuleRecord) -> [String: ModuleRecord] {
        guard let manifest = record.manifest else { return [:] }
        let required = manifest.needs.compactMap { service in
            provider(of: service, for: record).map { (service, modules[$0]) }
        }
        let optional = manifest.optional.compactMap { service in
            provider(of: service, for: record, isOptional: true).map { (service, modules[$0]) }
        }
        return Dictionary(required + optional) { first, _ in first }
    }

    /// Returns the usable providers of a service that a module collects, except for the module itself.
    func collected(_ service: String, by file: String) -> [Collector.Provider] {
        offers.collected[service, default: []].map { modules[$0] }.filter { $0.file != file }.map(Self.provider)
    }

    /// Returns a usable provider of a service that other modules collect. Nil if there is none in this file.
    func collected(_ service: String, from file: String) -> Collector.Provider? {
        guard let record = module(from: file), record.state.isUsable,
            record.manifest?.provides.contains(service) == true
        else { return nil }
        return Self.provider(record)
    }

    private static func provider(_ record: ModuleRecord) -> Collector.Provider {
        Collector.Provider(
            file: record.file, module: record.name, revision: record.revision, generation: record.generation)
    }

    /// Returns the providers that the settings select for this module only, keyed by service name.
    package func choices(of record: ModuleRecord) -> [String: String] {
        let manifest = record.manifest
        let used = ((manifest?.requires ?? []) + (manifest?.optional ?? [])).compactMap { service in
            wiring.singleChoice(of: service, for: record.name).map { (service, $0) }
        }
        return Dictionary(used) { first, _ in first }
    }

    /// Returns true if the settings select the module that provides a service.
    package func isChosen(_ service: String) -> Bool { wiring.chosenModules[service] != nil }

    /// Returns the index of the module that provides a service to another module. If several modules provide the
    /// service, returns the one that arrived first.
    ///
    /// For a required service, this provider is unambiguous, because the resolution refuses a module if several
    /// providers of the service are equally suitable. The resolution does not check optional services.
    private func provider(of service: String, for record: ModuleRecord, isOptional: Bool = false) -> Int? {
        guard let offer = offers.offers[wiring.need(service, of: record.name)] else { return nil }
        let own = places[record.file]
        if isOptional, let graph = offers.graph, let own, graph.needEachOther(own, offer.first) { return offer.other }
        return offer.first == own ? offer.second : offer.first
    }

    /// Returns an error for each optional service that a module does not get because the service's provider needs the
    /// module itself. The errors are keyed by service name.
    package func withheldServices(from record: ModuleRecord) -> [String: ViperError] {
        guard let own = places[record.file], let manifest = record.manifest else { return [:] }
        // The path and the fix depend only on the provider.
        var reasons: [Int: (cause: String, fix: String?)] = [:]
        return manifest.optional.reduce(into: [:]) { errors, service in
            guard let offer = offers.offers[wiring.need(service, of: record.name)],
                provider(of: service, for: record, isOptional: true) == nil,
                let provider = offer.first == own ? offer.second : offer.first,
                let reason = reasons[provider] ?? reason(for: provider, needing: own)
            else { return }
            reasons[provider] = reason
            errors[service] = ViperError(
                .serviceMissing, operation: "cannot resolve service", subject: service, cause: reason.cause,
                notes: [.init("requested by", "module \(record.name) → \(service)")],
                fix: reason.fix)
        }
    }

    /// Returns a cause that shows the path from a provider back to the module, and a fix. Returns nil if the provider
    /// does not need the module.
    private func reason(for provider: Int, needing module: Int) -> (cause: String, fix: String?)? {
        guard let way = offers.graph?.way(from: provider, to: module) else { return nil }
        let (name, needed) = (modules[provider].name, modules[module].name)
        let names = [needed] + way.map { $0.map { modules[$0].name } ?? "…" }
        return (
            "its provider \"\(name)\" needs \"\(needed)\" itself: " + names.joined(separator: " → "),
            way[1].map { removal(of: $0, from: modules[provider]) }
        )
    }

    private static let listLimit = 10

    /// Returns a fix that describes how to remove a module's dependency on a provider.
    private func removal(of provider: Int, from record: ModuleRecord) -> String {
        guard let manifest = record.manifest else { return "" }
        let parts = [("requires", manifest.requires), ("optional", manifest.optional)].compactMap { key, services in
            // Searches lazily, so that the search stops at the limit.
            let found = services.lazy.filter {
                self.offers.providers[self.wiring.need($0, of: record.name), default: []].contains(provider)
            }
            .prefix(Self.listLimit + 1).map { "\"\($0)\"" }
            if found.isEmpty { return String?.none }
            let names = found.prefix(Self.listLimit) + (found.count > Self.listLimit ? ["…"] : [])
            return "\(names.joined(separator: ", ")) from \"\(key)\""
        }
        return "remove \(parts.joined(separator: " and ")) in \(record.file)"
    }

    /// All services with their providers and consumers, sorted by name.
    package var services: [ServiceRecord] {
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
                records[name]?.choices[module.name] = wiring.singleChoice(of: name, for: module.name)
            }
            for name in manifest.collects { records[name, default: ServiceRecord(name)].collectors.append(module.name) }
            for (name, error) in withheldServices(from: module) { records[name]?.withheld[module.name] = error }
        }
        for (name, offer) in offers.offers {
            let isTie = offer.second.map { modules[$0].arrival == modules[offer.first].arrival } ?? false
            if !isTie { records[name]?.selected = modules[offer.first].name }
        }
        return records.values.sorted { $0.name < $1.name }
    }
}

package struct ServiceRecord: Sendable, Equatable {
    package let name: String
    /// The names of the providers, as `--use` accepts them. `host` stands for the host's own provider if it cannot be
    /// replaced.
    package var providers: [String] = []
    /// The provider from which modules without a choice of their own get the service. Nil if no provider is usable, or
    /// if several usable providers arrived at the same time.
    package var selected: String?
    /// The names of the modules that require the service or list it as optional.
    package var consumers: [String] = []
    /// The names of the modules that use all providers of the service.
    package var collectors: [String] = []
    /// The providers of the consumers that get the service from another provider than the rest, keyed by module name.
    package var choices: [String: String] = [:]
    /// The errors for the consumers that do not get the service, keyed by module name.
    package var withheld: [String: ViperError] = [:]

    package init(_ name: String) { self.name = name }
}
