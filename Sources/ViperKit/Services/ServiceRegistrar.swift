/// The interface through which a module registers the services that it provides.
public protocol ServiceRegistrar: Sendable {
    /// Registers a service with the factory that creates it.
    ///
    /// The factory runs when the service is first needed, off the main actor. Requests that arrive while it runs wait
    /// for the same instance. If the factory throws, the next request runs it again. It must return within 8 seconds.
    /// Its task is cancelled after that time, or when no request waits for the service any more. The services that a
    /// module needs before its initializer have 8 seconds together.
    ///
    /// As long as the factory runs, requests by the tasks that it starts count as the factory's: they can close a cycle,
    /// and their errors name the factory's path. Later requests count as the module's.
    ///
    /// An error that the factory throws becomes the cause of a ``ViperError/Code/serviceFailed`` error. Only the errors
    /// of its own requests for services keep their codes.
    ///
    /// - Parameters:
    ///   - key: A service that the manifest lists in `provides`.
    ///   - scope: The modules that share one instance of the service.
    ///   - factory: Creates the service from the providing module's own services. The services in the manifest's
    ///     `requires` are ready, so ``ServiceResolver/resolve(_:)`` returns them. Use ``ServiceResolver/prepare(_:)``
    ///     for other services of the same module.
    /// - Throws: ``ViperError/Code/serviceUndeclared`` if the manifest does not list the service in `provides`, or if
    ///   the service is already registered; ``ViperError/Code/scopeUnknown`` for a scope that the host does not know.
    func register<Service>(
        _ key: ServiceKey<Service>, scope: ServiceScope,
        factory: @escaping @Sendable (any ServiceResolver) async throws -> Service
    ) throws(ViperError)
}

/// The modules that share one instance of a service. This type is a struct, so that scopes can be added.
public struct ServiceScope: RawRepresentable, Hashable, Sendable {
    /// The scope's name.
    public let rawValue: String

    /// Creates a scope with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One instance for all modules in the process.
    public static var singleton: Self { Self(rawValue: "singleton") }
    /// One instance for each instance of a module that uses the service.
    public static var perModule: Self { Self(rawValue: "per-module") }
}
