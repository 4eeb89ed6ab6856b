/// The name of a service, with its Swift type.
///
/// ```swift
/// extension ServiceKey where Service == any Greeter {
///     static var greeter: Self { Self("greeter") }
/// }
/// ```
///
/// A service for other modules must have a type from ViperKit or the standard library, because each library has its own
/// types. A protocol that a module declares works only within that module.
public struct ServiceKey<Service: Sendable>: Hashable, Sendable {
    /// The name in the manifests' `requires`, `optional` and `provides`, in kebab case.
    public let name: String

    /// Creates a key with the given name.
    public init(_ name: String) { self.name = name }
}
