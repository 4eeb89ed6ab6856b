import HostSystem
import ModuleCatalog
import ViperKit

extension Resolution {
    /// The maximum number of name comparisons for suggestions in one resolution.
    private static let searchLimit = 20_000
    private static let listLimit = 10

    /// Returns the error for a module that requires a service without a usable provider.
    func lack(of service: ServiceDemand, for record: ModuleRecord) -> ViperError {
        var error = Self.requirementUnmet(service.name, record)
        if let provider = service.providers.first {
            error.cause += "whose provider \"\(records[provider].name)\" is refused"
            error.notes += records[provider].state.refusal.map { [.init("because", $0.summary)] } ?? []
            error.fix = "fix that module first"
        } else if let contract = Manifest.contract(in: service.name) {
            error.cause += "which is not installed"
            error.fix = "install \(contract) with host build, or correct \"contracts\""
        } else if let chosen = wiring.chosenModules[service.name] {
            error.cause += "whose chosen provider \"\(chosen)\" does not provide it"
            error.fix = "install \"\(chosen)\", or choose another provider with --use or in host.json"
        } else {
            let own = Set(record.manifest?.provides ?? [])
            let near = nearestNames(to: service.name, in: suggestions.lazy.filter { !own.contains($0) }).first
            error.cause += "which no module provides"
            error.fix =
                near.map { "write \"\($0)\"" } ?? "add a module that provides it, or correct \"requires\""
        }
        return error
    }

    /// Returns the names of all provided services, or an empty array if comparing them with all missing services would
    /// take too long.
    func findSuggestions() -> [String] {
        let missing = services.filter { !$0.isOfHost && $0.providers.isEmpty }.reduce(0) { $0 + $1.consumers.count }
        let provided = services.filter {
            !$0.isOfHost && !$0.providers.isEmpty && Manifest.contract(in: $0.name) == nil
                && Settings.parts(ofChoice: $0.name).module == nil
        }
        let names = provided.map(\.name) + wiring.hostServices
        return names.count * missing > Self.searchLimit ? [] : names
    }

    /// Returns an error for each module that could not be resolved. The cause is a service with several providers, a
    /// cycle of requirements, or an unusable provider.
    func errors(ofUnresolved modules: [Int]) -> [ViperError] {
        let unmet = modules.map { index in
            (records[index].manifest.map(wiring.needs) ?? []).filter { places[$0].map { !services[$0].isMet } ?? false }
        }
        let candidates = Dictionary(uniqueKeysWithValues: Set(unmet.joined()).map { ($0, self.candidates(for: $0)) })
        let contests = candidates.filter { $0.value.count > 1 }.map { ($0, contest($0, $1.map { records[$0] })) }
        let contested = Dictionary(uniqueKeysWithValues: contests)
        let numbers = Dictionary(uniqueKeysWithValues: modules.enumerated().map { ($1, $0) })
        let graph = RequirementGraph(needs: unmet) { candidates[$0, default: []].compactMap { numbers[$0] } }
        return modules.enumerated().map { number, index in
            let record = records[index]
            // Report a service with several providers first, because it must be fixed before any cycle.
            let service = unmet[number].first { contested[$0] != nil } ?? unmet[number].first ?? ""
            var error = Self.requirementUnmet(service, record)
            if let contest = contested[service] {
                error.cause += contest.cause
                error.notes += contest.notes
                error.fix = contest.fix
            } else if let cycle = graph.way(from: number, to: number) {
                let names = cycle.map { $0.map { records[modules[$0]].name } ?? "…" }
                error.code = .serviceCycle
                error.cause = "modules require each other: \(names.joined(separator: " → "))"
                error.fix = "remove one of these requirements"
            } else {
                let provider = candidates[service]?.first.map { records[$0].name } ?? ""
                error.cause += "whose provider \"\(provider)\" cannot be used either"
                error.fix = "fix that module first"
            }
            return error
        }
    }

    static func notes(_ label: String, _ files: [String]) -> [ViperError.Note] {
        let more = files.count - listLimit
        return files.sorted().prefix(listLimit).map { .init(label, $0) }
            + (more > 0 ? [.init(label, "\(more) more")] : [])
    }

    /// Returns the cause, the notes and the fix for a service that several modules provide.
    private func contest(
        _ service: String, _ rivals: [ModuleRecord]
    ) -> (cause: String, notes: [ViperError.Note], fix: String) {
        let names = rivals.map(\.name).sorted()
        let list = names.prefix(Self.listLimit).joined(separator: ", ") + (names.count > Self.listLimit ? ", …" : "")
        return (
            "which \(rivals.count) modules provide", Self.notes("provided by", rivals.map(\.file)),
            "choose one with --use \(service)=NAME, where NAME is one of \(list); or remove all but one"
        )
    }

    private static func requirementUnmet(_ service: String, _ record: ModuleRecord) -> ViperError {
        ViperError(
            .requirementUnmet, operation: "cannot use module", subject: record.name,
            cause: Manifest.contract(in: service).map { "it uses the contract \"\($0)\", " }
                ?? "it requires the service \"\(Settings.parts(ofChoice: service).service)\", ",
            notes: [.init("manifest", record.file)])
    }

    /// Returns the providers of a service that are not refused. If one provider arrived before all other providers,
    /// returns only that provider.
    private func candidates(for service: String) -> [Int] {
        guard let place = places[service] else { return [] }
        let usable = services[place].providers.filter { !records[$0].state.isRefused }
        guard usable.count > 1, records[usable[0]].arrival < records[usable[1]].arrival else { return usable }
        return [usable[0]]
    }
}
