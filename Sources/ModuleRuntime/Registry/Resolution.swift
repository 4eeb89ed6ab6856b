import ModuleCatalog
import ViperKit

/// A decision on which modules can be used, based only on their manifests. Each unusable module gets an error.
///
/// Resolving takes time proportional to the number of services that the modules list, not to the square of the number
/// of modules.
struct Resolution {
    private(set) var records: [ModuleRecord]
    let wiring: ServiceWiring
    private(set) var services: [ServiceDemand] = []
    /// Indices into `services`, keyed by service name.
    private(set) var places: [String: Int] = [:]
    /// The service names that errors can suggest in place of an unknown name.
    private(set) var suggestions: [String] = []
    /// The number of unmet requirements of each module.
    private var unmet: [Int]
    /// The modules that can be resolved because all of their requirements are met.
    private var ready: [Int] = []
    /// The modules that must be refused because a required service has no usable provider.
    private var lacking: [Int] = []

    init(of records: [ModuleRecord], wiring: ServiceWiring) {
        (self.records, self.wiring) = (records, wiring)
        unmet = Array(repeating: 0, count: records.count)
        refuseDuplicates()
        refuseOtherSDKs()
        refuseOtherContracts()
        refuseClaimsOnHostServices()
        listServices()
        for service in services.indices { update(service) }
        // A refused module no longer counts as a provider, so another provider of the same service may be selected.
        repeat { resolveReadyModules() } while refuseLackingModules()
        refuseTheRest()
    }

    /// Refuses the discovered modules for which the closure returns an error.
    mutating func refuse(_ reason: (ModuleRecord, Manifest) -> ViperError?) {
        for index in records.indices where records[index].state == .discovered {
            guard let manifest = records[index].manifest, let error = reason(records[index], manifest) else { continue }
            records[index].state = .refused(error)
        }
    }

    private mutating func refuseDuplicates() {
        let inUse = records.indices.filter { records[$0].manifest != nil && records[$0].state != .retired }
        var (names, repeated): (Set<String>, Set<String>) = ([], [])
        for index in inUse where !names.insert(records[index].name).inserted { repeated.insert(records[index].name) }
        // Usually, all names differ.
        if repeated.isEmpty { return }
        let rivals = inUse.map { records[$0] }.filter { repeated.contains($0.name) }
        let errors = Dictionary(grouping: rivals, by: \.name).mapValues { all in
            let first = all.min { $0.arrival < $1.arrival }?.arrival
            // A module that arrived before all others keeps the name.
            let owners = all.filter { $0.arrival == first }
            let error = ViperError(
                .moduleDuplicate, operation: "cannot use module", subject: all[0].name,
                cause: "several manifests have this name",
                notes: Self.notes("manifest", all.map(\.file)), fix: "remove or rename all but one")
            return (owner: owners.count == 1 ? owners[0].file : nil, error: error)
        }
        refuse { record, manifest in
            errors[manifest.name].flatMap { $0.owner == record.file ? nil : $0.error }
        }
    }

    private mutating func refuseOtherSDKs() {
        guard let own = InterfaceVersion(SDK.version) else { return }
        refuse { record, manifest in
            if own.satisfies(manifest.sdk) { return nil }
            return ViperError(
                .sdkUnsupported, operation: "cannot use module", subject: manifest.name,
                cause: "it is built for ViperKit \(manifest.sdk), and this host has \(own)",
                notes: [.init("manifest", record.file)],
                fix: "update the host, or build the module against ViperKit \(own)")
        }
    }

    private mutating func refuseClaimsOnHostServices() {
        let fixed = wiring.hostServices.subtracting(wiring.replaceable.keys)
        refuse { record, manifest in
            guard let claimed = manifest.provides.first(where: fixed.contains) else { return nil }
            return ViperError(
                .requirementUnmet, operation: "cannot use module", subject: manifest.name,
                cause: "it provides \"\(claimed)\", which the host itself provides",
                notes: [.init("manifest", record.file)], fix: "give the service another name")
        }
    }

    private mutating func listServices() {
        for (index, record) in records.enumerated() where record.state != .retired {
            guard let manifest = record.manifest else { continue }
            for name in wiring.offers(of: manifest) {
                services[place(of: name)].providers.append(index)
            }
            guard record.state == .discovered else { continue }
            for name in wiring.needs(of: manifest) {
                let place = place(of: name)
                services[place].consumers.append(index)
                if !services[place].isMet { unmet[index] += 1 }
            }
            if unmet[index] == 0 { ready.append(index) }
        }
        for index in services.indices {
            services[index].providers.sort { left, right in
                (records[left].arrival, records[left].name) < (records[right].arrival, records[right].name)
            }
        }
        suggestions = findSuggestions()
    }

    private mutating func place(of name: String) -> Int {
        if let place = places[name] { return place }
        places[name] = services.count
        services.append(ServiceDemand(name, isOfHost: wiring.isMetByHost(name)))
        return services.count - 1
    }

    /// Updates a service and the modules that require it. Call this method when the state of a provider may have
    /// changed.
    private mutating func update(_ place: Int) {
        if services[place].isMet { return }
        let (first, rival) = services[place].candidates(in: records)
        guard let first else {
            if !services[place].isLacking { lacking += services[place].consumers }
            services[place].isLacking = true
            return
        }
        guard rival == nil, records[first].state == .resolved || records[first].state == .active else { return }
        services[place].isMet = true
        for consumer in services[place].consumers {
            unmet[consumer] -= 1
            if unmet[consumer] == 0 { ready.append(consumer) }
        }
    }

    private mutating func updateServices(of index: Int) {
        for name in records[index].manifest.map(wiring.offers) ?? [] {
            if let place = places[name] { update(place) }
        }
    }

    private mutating func resolveReadyModules() {
        while let index = ready.popLast() {
            guard records[index].state == .discovered else { continue }
            records[index].state = .resolved
            for route in records[index].manifest?.routes ?? [] where records[index].claims[route.name] == nil {
                records[index].claims[route.name] = records[index].revision
            }
            updateServices(of: index)
        }
    }

    /// Refuses the modules that require a service without a usable provider.
    ///
    /// - Returns: True if a module was refused.
    private mutating func refuseLackingModules() -> Bool {
        let indices = Set(lacking).filter { records[$0].state == .discovered }.sorted()
        lacking = []
        if indices.isEmpty { return false }
        // Find all errors before refusing any module, so that the order of the records has no effect.
        let errors = indices.map { index in
            let requires = records[index].manifest.map(wiring.needs) ?? []
            let service = requires.first { name in places[name].map { services[$0].isLacking } ?? false }
            return service.flatMap { places[$0] }.map { lack(of: services[$0], for: records[index]) }
        }
        for (index, error) in zip(indices, errors) {
            if let error { records[index].state = .refused(error) }
        }
        for index in indices { updateServices(of: index) }
        return true
    }

    /// Refuses every module that could not be resolved, because a required service has several providers or modules
    /// require each other in a cycle.
    private mutating func refuseTheRest() {
        let rest = records.indices.filter { records[$0].state == .discovered && records[$0].manifest != nil }
        if rest.isEmpty { return }
        let errors = errors(ofUnresolved: rest)
        for (index, error) in zip(rest, errors) { records[index].state = .refused(error) }
    }
}
