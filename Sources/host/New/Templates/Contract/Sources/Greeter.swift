public import ViperKit

/// A service that modules share through this contract. A module conforms a type to it, and registers the type under
/// ``ViperKit/ServiceKey/greeter``.
///
/// A minor version of the contract may add a requirement only with a default implementation in an extension.
public protocol Greeter: Sendable {
    func greet(_ name: String) async throws(ViperError) -> Greeting
}

/// A value that modules share through this contract.
public struct Greeting: Sendable, Equatable {
    public var text: String

    public init(text: String) { self.text = text }
}

extension ServiceKey where Service == any Greeter {
    /// The key of the service. Its name appears in `requires` and `provides` of manifests.
    public static var greeter: Self { Self("greeter") }
}
