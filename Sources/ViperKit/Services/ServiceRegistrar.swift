/// Takes the services that a module provides.
public protocol ServiceRegistrar: Sendable {
    /// Registers how a service is made. The factory runs when somebody resolves the service, on that caller's thread.
    ///
    /// - Parameters:
    ///   - key: A name from the manifest's `provides`.
    ///   - scope: How long what the factory makes is kept.
    ///   - factory: Makes the service; it is given the module's own services. It must not wait for another thread that
    ///     resolves a service.
    /// - Throws: ``ViperError/Code/serviceUndeclared`` when the manifest does not provide it, or it is registered twice.
    func register<Service>(
        _ key: ServiceKey<Service>, scope: ServiceScope,
        factory: @escaping @Sendable (any ServiceResolver) throws -> Service
    ) throws(ViperError)
}

/// How long a service is kept once it was made.
public struct ServiceScope: RawRepresentable, Hashable, Sendable {
    /// The scope's name.
    public let rawValue: String

    /// A scope with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Made once, at the first need, and shared by all.
    public static var singleton: Self { Self(rawValue: "singleton") }
    /// Made anew for each that asks.
    public static var transient: Self { Self(rawValue: "transient") }
}
