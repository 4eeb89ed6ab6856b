/// The name and the Swift type of a service.
///
/// ```swift
/// extension ServiceKey where Service == any Greeter {
///     static var greeter: Self { Self("greeter") }
/// }
/// ```
///
/// A service that other modules use must have a type from ViperKit, the standard library or a contract, because modules
/// do not share other types. A protocol that a module declares can be used only within that module.
public struct ServiceKey<Service: Sendable>: Hashable, Sendable {
    /// The service's name in kebab case, as used in `requires`, `optional`, and `provides` of manifests.
    public let name: String

    /// Creates a key with the given name.
    public init(_ name: String) { self.name = name }
}
