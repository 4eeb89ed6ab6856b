/// What a built module is held against, seen from outside. Each check runs in a process of its own.
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

    /// Whether it opens routes, so that a module without any has nothing to show for it.
    package var needsRoutes: Bool { [.undeclared, .parameters, .memory, .growth, .events].contains(self) }

    /// What a module that passes keeps to.
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
        }
    }
}
