import ModuleCatalog

/// The providers that the host and its settings select for services.
///
/// A module may get a service from another provider than the rest. Such a need has a name of its own,
/// `MODULE.SERVICE`, which never equals the name of a service. It is resolved like any other service.
package struct ServiceWiring: Sendable {
    /// The services that the host provides to all modules, except for those with a choice of their own.
    var hostServices: Set<String>
    /// The services that a module may provide in place of the host. Each value is the name of the host's own provider.
    let replaceable: [String: String]
    /// The modules that the settings select, keyed by service name, or by `MODULE.SERVICE` for the needs of one module.
    let chosenModules: [String: String]
    /// The needs of single modules for which the settings select the host's own provider.
    private let hostChoices: Set<String>
    /// The needs of single modules that each module meets, keyed by the name of the provider.
    private let singleOffers: [String: [String]]
    private let hasSingleChoices: Bool

    /// Creates a wiring.
    ///
    /// - Parameter choices: The names of the providers that the settings select, keyed by service name or by
    ///   `MODULE.SERVICE`.
    package init(hostServices: Set<String>, replaceable: [String: String] = [:], choices: [String: String] = [:]) {
        let isOfHost = { (key: String, name: String) in replaceable[Settings.parts(ofChoice: key).service] == name }
        let single = choices.filter { Settings.parts(ofChoice: $0.key).module != nil }
        (self.hostServices, self.replaceable) = (hostServices, replaceable)
        chosenModules = choices.filter { !isOfHost($0.key, $0.value) }
        hostChoices = Set(single.filter { isOfHost($0.key, $0.value) }.keys)
        singleOffers = Dictionary(grouping: single.keys.sorted()) { single[$0] ?? "" }
        hasSingleChoices = !single.isEmpty
    }

    /// Returns true if a module may provide a service to the modules without a choice of their own. Returns false if the
    /// host provides the service, or if the settings select another module.
    func uses(_ module: String, for service: String) -> Bool {
        if hostServices.contains(service) { return false }
        return chosenModules[service].map { $0 == module } ?? true
    }

    /// Returns the name under which a module's need for a service is resolved.
    func need(_ service: String, of module: String) -> String {
        guard hasSingleChoices else { return service }
        let single = "\(module).\(service)"
        return chosenModules[single] != nil || hostChoices.contains(single) ? single : service
    }

    /// The names under which the services that a module requires and the contracts that it uses are resolved.
    func needs(of manifest: Manifest) -> [String] {
        hasSingleChoices ? manifest.needs.map { need($0, of: manifest.name) } : manifest.needs
    }

    /// The names of the needs that a module may meet.
    func offers(of manifest: Manifest) -> [String] {
        let offers = manifest.offers.filter { uses(manifest.name, for: $0) }
        guard hasSingleChoices, let single = singleOffers[manifest.name] else { return offers }
        return offers + single.filter { manifest.provides.contains(Settings.parts(ofChoice: $0).service) }
    }

    /// Returns true if the host itself meets a need.
    func isMetByHost(_ need: String) -> Bool { hostServices.contains(need) || hostChoices.contains(need) }

    /// Returns the name of the provider that the settings select for a single module, or nil if they select none.
    func singleChoice(of service: String, for module: String) -> String? {
        let need = need(service, of: module)
        if need == service { return nil }
        return hostChoices.contains(need) ? replaceable[service] : chosenModules[need]
    }

    /// Returns true if the settings select a module, and not the host, for a module's need.
    func choosesModule(for service: String, of module: String) -> Bool {
        let need = need(service, of: module)
        return !isMetByHost(need) && chosenModules[need] != nil
    }
}
