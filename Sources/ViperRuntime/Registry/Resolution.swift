import ViperKit

/// Finds out from manifests alone which modules can be used, and why each of the others cannot.
struct Resolution {
    private(set) var records: [ModuleRecord]
    private let wiring: ServiceWiring
    /// The places in `records` of the modules that are asked for a service.
    private let providerIndices: [String: [Int]]

    init(of records: [ModuleRecord], wiring: ServiceWiring) {
        (self.records, self.wiring) = (records, wiring)
        providerIndices = records.enumerated().reduce(into: [:]) { indices, record in
            guard record.element.state != .retired else { return }
            for service in record.element.manifest?.provides ?? [] where wiring.uses(record.element.name, for: service)
            {
                indices[service, default: []].append(record.offset)
            }
        }
        refuseDuplicates()
        refuseOtherSDKs()
        refuseClaimsOnHostServices()
        // A module that lacks something is out of the running as a provider too, which may settle who provides for others.
        repeat { resolveThoseWithProviders() } while refuseThoseWithoutProvider()
        refuseTheRest()
    }

    /// Refuses the discovered modules for which there is a reason.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    private mutating func refuse(_ reason: (Resolution, ModuleRecord, Manifest) -> ViperError?) -> Bool {
        // All reasons are found before any takes effect, so that the order of the records decides nothing.
        let before = self
        let reasons = records.map { record in
            record.state == .discovered ? record.manifest.flatMap { reason(before, record, $0) } : nil
        }
        for (index, error) in reasons.enumerated() {
            if let error { records[index].state = .refused(error) }
        }
        return reasons.contains { $0 != nil }
    }

    private mutating func refuseDuplicates() {
        let inUse = records.filter { $0.manifest != nil && $0.state != .retired }
        let claims = Dictionary(grouping: inUse, by: \.name)
        refuse { _, record, manifest in
            guard let all = claims[manifest.name], all.count > 1, !Self.isFirst(record, of: all) else { return nil }
            let claimants = all.map(\.file).sorted()
            return ViperError(
                .moduleDuplicate, "cannot use module", manifest.name, cause: "several manifests have this name",
                notes: claimants.map { .init("manifest", $0) }, mend: "remove or rename all but one")
        }
    }

    /// Whether a record came before all others, and so keeps what they want too.
    private static func isFirst(_ record: ModuleRecord, of all: [ModuleRecord]) -> Bool {
        all.allSatisfy { $0.file == record.file || $0.arrival > record.arrival }
    }

    private mutating func refuseOtherSDKs() {
        refuse { _, record, manifest in
            guard let own = SDKVersion(SDK.version), !own.runs(manifest.sdk) else { return nil }
            return ViperError(
                .sdkUnsupported, "cannot use module", manifest.name,
                cause: "it is made for ViperKit \(manifest.sdk), and this host has \(own)",
                notes: [.init("manifest", record.file)],
                mend: "update the host, or build the module against ViperKit \(own)")
        }
    }

    private mutating func refuseClaimsOnHostServices() {
        refuse { before, record, manifest in
            let fixed = before.wiring.hostServices.subtracting(before.wiring.replaceable)
            guard let claimed = manifest.provides.first(where: fixed.contains) else { return nil }
            return ViperError(
                .requirementUnmet, "cannot use module", manifest.name,
                cause: "it provides \"\(claimed)\", which the host itself provides",
                notes: [.init("manifest", record.file)], mend: "give the service another name")
        }
    }

    private func providers(of service: String) -> [ModuleRecord] {
        providerIndices[service, default: []].map { records[$0] }
    }

    /// Providers that are still in the running. One that came before all others is alone.
    private func candidates(for service: String) -> [ModuleRecord] {
        let usable = providers(of: service).filter { $0.state.refusal == nil }
        return usable.first { Self.isFirst($0, of: usable) }.map { [$0] } ?? usable
    }

    private func isMet(_ service: String) -> Bool {
        if wiring.hostServices.contains(service) { return true }
        let candidates = candidates(for: service)
        return candidates.count == 1 && (candidates[0].state == .resolved || candidates[0].state == .active)
    }

    private mutating func resolveThoseWithProviders() {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for index in records.indices where records[index].state == .discovered {
                guard let manifest = records[index].manifest, manifest.requires.allSatisfy(isMet) else { continue }
                records[index].state = .resolved
                for route in manifest.routes where records[index].claims[route.name] == nil {
                    records[index].claims[route.name] = records[index].revision
                }
                hasChanged = true
            }
        }
    }

    private mutating func refuseThoseWithoutProvider() -> Bool {
        refuse { before, record, manifest in
            let lacking = manifest.requires.first { !before.isMet($0) && before.candidates(for: $0).isEmpty }
            return lacking.map { before.unmet($0, of: record) }
        }
    }

    /// What is left needs a service of several modules, or of itself over others.
    private mutating func refuseTheRest() {
        refuse { before, record, manifest in
            let unmet = manifest.requires.filter { !before.isMet($0) }
            // Of several reasons, one that lies outside any cycle is the one to mend first.
            return (unmet.first { before.candidates(for: $0).count != 1 } ?? unmet.first).map { service in
                before.unmet(service, of: record)
            }
        }
    }

    private func unmet(_ service: String, of record: ModuleRecord) -> ViperError {
        let (all, usable) = (providers(of: service), candidates(for: service))
        var error = ViperError(
            .requirementUnmet, "cannot use module", record.name, cause: "it requires the service \"\(service)\", ",
            notes: [.init("manifest", record.file)])
        if all.isEmpty {
            let others = wiring.hostServices.union(providerIndices.keys).subtracting(record.manifest?.provides ?? [])
            let near = nearestNames(to: service, in: others).first
            error.cause += "which nobody provides"
            error.mend = near.map { "write \"\($0)\"" } ?? "add a module that provides it, or correct \"requires\""
        } else if usable.isEmpty {
            error.cause += "whose provider \"\(all[0].name)\" is refused"
            error.mend = "mend that module first"
        } else if usable.count > 1 {
            error.cause += "which \(usable.count) modules provide"
            error.notes += usable.map(\.file).sorted().map { .init("provided by", $0) }
            error.mend = "remove all but one of them"
        } else if let cycle = cycle(from: record) {
            error.code = .serviceCycle
            error.cause = "modules require each other: \(cycle.joined(separator: " → "))"
            error.mend = "let one of them do without the other"
        } else {
            error.cause += "whose provider \"\(usable[0].name)\" cannot be used either"
            error.mend = "mend that module first"
        }
        return error
    }

    /// The names on the way from a module over its providers back to itself, if there is such a way.
    private func cycle(from record: ModuleRecord) -> [String]? {
        var visited: Set<String> = []
        func path(from current: ModuleRecord) -> [String]? {
            for service in current.manifest?.requires ?? [] {
                for provider in candidates(for: service) where provider.state == .discovered {
                    if provider.file == record.file { return [current.name, record.name] }
                    guard visited.insert(provider.file).inserted, let rest = path(from: provider) else { continue }
                    return [current.name] + rest
                }
            }
            return nil
        }
        return path(from: record)
    }
}
