/// The selection of providers by the host and its settings.
package struct ServiceWiring: Sendable {
    var hostServices: Set<String>
    /// The services that a module may provide instead of the host, each with the name of the host's own provider.
    var replaceable: [String: String] = [:]
    /// The modules that the settings select, by service name.
    var chosenModules: [String: String] = [:]

    package init(
        hostServices: Set<String>, replaceable: [String: String] = [:], chosenModules: [String: String] = [:]
    ) {
        (self.hostServices, self.replaceable, self.chosenModules) = (hostServices, replaceable, chosenModules)
    }

    /// Returns true if this module may provide a service. False if the host provides it, or if the settings select another
    /// module.
    func uses(_ module: String, for service: String) -> Bool {
        if hostServices.contains(service) { return false }
        return chosenModules[service].map { $0 == module } ?? true
    }
}
