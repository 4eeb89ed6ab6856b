/// The providers that the host and its settings select for services.
package struct ServiceWiring: Sendable {
    var hostServices: Set<String>
    /// The services that a module may provide in place of the host. Each value is the name of the host's own provider.
    var replaceable: [String: String] = [:]
    /// The modules that the settings select, keyed by service name.
    var chosenModules: [String: String] = [:]

    package init(
        hostServices: Set<String>, replaceable: [String: String] = [:], chosenModules: [String: String] = [:]
    ) {
        (self.hostServices, self.replaceable, self.chosenModules) = (hostServices, replaceable, chosenModules)
    }

    /// Returns true if a module may provide a service. Returns false if the host provides the service, or if the
    /// settings select another module.
    func uses(_ module: String, for service: String) -> Bool {
        if hostServices.contains(service) { return false }
        return chosenModules[service].map { $0 == module } ?? true
    }
}
