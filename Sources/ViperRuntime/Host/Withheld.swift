/// A service to withhold from a module. If the service is nil, the module gets all its services.
struct Withheld: Sendable {
    var module: String
    var service: String?
}
