package import ViperKit

/// The routes and services that a module's code registers, in order.
package struct Registrations: Sendable {
    package var routes: [String]
    package var services: [(name: String, scope: ServiceScope)]

    package init(routes: [String], services: [(name: String, scope: ServiceScope)]) {
        (self.routes, self.services) = (routes, services)
    }
}

extension Manifest {
    /// Returns the reasons why a module with these registrations cannot keep what its manifest promises. Each reason is
    /// one sentence.
    package func unkeptPromises(by registrations: Registrations) -> [String] {
        let scopes = [ServiceScope.singleton, .perModule]
        let unknown = registrations.services.filter { !scopes.contains($0.scope) }.map { service in
            "the service \"\(service.name)\" has the scope \"\(service.scope.rawValue)\", "
                + "expected \(scopes.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))"
        }
        return each(registrations) { noun, declared, registered in
            var found: Set<String> = []
            let twice = registered.filter { !found.insert($0).inserted }.map {
                "its code registers the \(noun) \"\($0)\" twice"
            }
            let missing = declared.filter { !found.contains($0) }
                .map { "its manifest declares the \(noun) \"\($0)\", but its code does not register it" }
            return missing + twice
        } + unknown
    }

    /// Returns a sentence for each registered route or service that the manifest does not declare. No host uses them.
    package func undeclared(of registrations: Registrations) -> [String] {
        each(registrations) { noun, declared, registered in
            let known = Set(declared)
            return registered.filter { !known.contains($0) }
                .map { "its code registers the \(noun) \"\($0)\", but its manifest does not declare it" }
        }
    }

    private func each(
        _ registrations: Registrations, _ compare: (_ noun: String, [String], [String]) -> [String]
    ) -> [String] {
        compare("route", routes.map(\.name), registrations.routes)
            + compare("service", provides, registrations.services.map(\.name))
    }
}
