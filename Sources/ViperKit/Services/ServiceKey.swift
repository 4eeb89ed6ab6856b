/// The name of a service together with its Swift type.
///
/// ```swift
/// extension ServiceKey where Service == any Clock {
///     static var clock: Self { Self("clock") }
/// }
/// ```
///
/// Services that cross between modules have a protocol of ViperKit as their type. A protocol of a module's own works within
/// that module only, since every library has types of its own.
public struct ServiceKey<Service: Sendable>: Hashable, Sendable {
    /// The name that manifests use in `requires` and `provides`, in kebab case.
    public let name: String

    /// A key with this name.
    public init(_ name: String) { self.name = name }
}
