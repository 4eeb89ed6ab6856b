/// Who provides which service, as far as the host and its settings decide it.
package struct ServiceWiring: Sendable {
    /// The services that the host itself provides.
    package var hostServices: Set<String>
    /// The services that a module may provide instead of the host, with the name of the host's own provider.
    package var replaceable: [String: String] = [:]
    /// The module that was chosen to provide a service.
    package var chosenModules: [String: String] = [:]

    package init(
        hostServices: Set<String>, replaceable: [String: String] = [:], chosenModules: [String: String] = [:]
    ) {
        (self.hostServices, self.replaceable, self.chosenModules) = (hostServices, replaceable, chosenModules)
    }

    /// Whether a module that provides a service is the one that is asked for it.
    package func uses(_ module: String, for service: String) -> Bool {
        if hostServices.contains(service) { return false }
        return chosenModules[service].map { $0 == module } ?? true
    }
}
