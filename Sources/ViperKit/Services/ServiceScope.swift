/// A scope that determines which modules share an instance of a service. This type is a struct so that scopes can be
/// added.
public struct ServiceScope: RawRepresentable, Hashable, Sendable {
    /// The scope's name.
    public let rawValue: String

    /// Creates a scope with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A single service instance for all modules in the process.
    public static var singleton: Self { Self(rawValue: "singleton") }
    /// A separate service instance for each module instance that uses the service.
    public static var perModule: Self { Self(rawValue: "per-module") }
}
