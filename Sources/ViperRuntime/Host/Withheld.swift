/// A service that a module does not get, although it requires it.
struct Withheld: Sendable {
    var module: String
    var service: String?
}
