/// The interface through which a module registers the services that it provides.
public protocol ServiceRegistrar: Sendable {
    /// Registers a service with the factory that creates it.
    ///
    /// The factory runs when a module resolves the service, on the thread of that call.
    ///
    /// - Parameters:
    ///   - key: A service that the manifest lists in `provides`.
    ///   - scope: The lifetime of the created service.
    ///   - factory: Creates the service from the providing module's own services. The factory must not wait for another
    ///     thread that resolves a service, because this causes a deadlock.
    /// - Throws: ``ViperError/Code/serviceUndeclared`` if the manifest does not list the service in `provides`, or if
    ///   the service is already registered.
    func register<Service>(
        _ key: ServiceKey<Service>, scope: ServiceScope,
        factory: @escaping @Sendable (any ServiceResolver) throws -> Service
    ) throws(ViperError)
}

/// The lifetime of a service.
public struct ServiceScope: RawRepresentable, Hashable, Sendable {
    /// The scope's name.
    public let rawValue: String

    /// Creates a scope with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Created on first use and shared by all modules in the process.
    public static var singleton: Self { Self(rawValue: "singleton") }
    /// Created each time a module resolves the service.
    public static var transient: Self { Self(rawValue: "transient") }
}
