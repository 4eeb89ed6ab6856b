package import ModuleCatalog

/// A check of a built module. Each check runs in its own process.
package enum ModuleCheck: String, CaseIterable, Codable, Sendable {
    case routes
    case parameters
    case arguments
    case services
    case missingServices = "missing-services"
    case memory
    case growth
    case generations
    case events
    case dataProvider = "data-provider"

    /// Returns true if the check applies to the module.
    package func concerns(_ manifest: Manifest) -> Bool {
        switch self {
        case .parameters, .memory, .growth, .events: !manifest.routes.isEmpty
        // A provider that uses HTTP cannot be checked, because a check has no network. Neither can one whose configuration
        // says where its records are, because checks separate their stores by state folders.
        case .dataProvider:
            manifest.provides.contains("data-provider") && !requires("http-client", manifest)
                && (requires("state-folder", manifest) || !requires("configuration", manifest))
        case .routes, .arguments, .services, .missingServices, .generations: true
        }
    }

    private func requires(_ service: String, _ manifest: Manifest) -> Bool {
        (manifest.requires + manifest.optional).contains(service)
    }

    /// The rule that a module must follow to pass the check.
    package var promise: String {
        switch self {
        case .routes: "every declared route opens"
        case .parameters: "valid parameters are accepted, invalid ones refused"
        case .arguments: "routes, services and argument types match the manifest"
        case .services: "the module uses only declared services"
        case .missingServices: "a missing service does not crash the process"
        case .memory: "closed scenes free their memory"
        case .growth: "1,000 opens leak no memory"
        case .generations: "two generations run side by side"
        case .events: "events in any order do not crash the process"
        case .dataProvider: "the data provider follows the documented rules"
        }
    }
}
