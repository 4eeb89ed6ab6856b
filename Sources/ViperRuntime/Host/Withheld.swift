/// A service to withhold from a module. If the service is nil, nothing is withheld.
struct Withheld: Sendable {
    var module: String
    var service: String?
}
