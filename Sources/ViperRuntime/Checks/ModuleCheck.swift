package import ModuleCatalog

/// A check of a built module from outside. Each check runs in a process of its own.
package enum ModuleCheck: String, CaseIterable, Codable, Sendable {
    case routes
    case undeclared
    case parameters
    case services
    case missingServices = "missing-services"
    case memory
    case growth
    case generations
    case events
    case dataProvider = "data-provider"

    /// True if the check applies to the module.
    package func concerns(_ manifest: Manifest) -> Bool {
        switch self {
        case .undeclared, .parameters, .memory, .growth, .events: !manifest.routes.isEmpty
        // A provider that uses HTTP cannot be checked, because a check has no network.
        case .dataProvider:
            manifest.provides.contains("data-provider")
                && !(manifest.requires + manifest.optional).contains("http-client")
        case .routes, .services, .missingServices, .generations: true
        }
    }

    /// The rule that a passing module follows.
    package var promise: String {
        switch self {
        case .routes: "every declared route opens"
        case .undeclared: "no undeclared route answers"
        case .parameters: "declared parameters are accepted, and bad ones refused"
        case .services: "the required services suffice"
        case .missingServices: "a service that is missing ends no process"
        case .memory: "scenes free their memory"
        case .growth: "1,000 opens do not grow the process"
        case .generations: "two generations live side by side"
        case .events: "events in odd orders are survived"
        case .dataProvider: "a data provider keeps its promises"
        }
    }
}
