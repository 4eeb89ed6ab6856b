/// A module, and a service to withhold from it.
struct Withheld: Sendable {
    var module: String
    var service: String?
}
