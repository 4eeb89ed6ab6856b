/// The interface through which a module registers the services that it provides.
public protocol ServiceRegistrar: Sendable {
    /// Registers a service and the factory that creates it.
    ///
    /// The factory runs off the main actor when the service is first needed. Requests that arrive while it runs wait
    /// for the same instance. If the factory throws, the next request runs it again. The factory must return within 8
    /// seconds. The host cancels its task after that time, or when no request waits for the service. All services that
    /// a module needs before its initializer runs must be created within 8 seconds in total.
    ///
    /// While the factory runs, the host treats service requests from tasks that the factory started as requests from
    /// the factory. These requests take part in cycle detection, and their errors list the services that led to the
    /// factory. The host treats later requests as requests from the module.
    ///
    /// If the factory throws an error, the request throws ``ViperError/Code/serviceFailed`` with that error as the
    /// cause. Errors from the factory's own service requests keep their codes.
    ///
    /// - Parameters:
    ///   - key: A service that the manifest lists in `provides`.
    ///   - scope: The scope that determines which modules share an instance of the service.
    ///   - factory: A closure that creates the service. Its parameter resolves the services of the providing module.
    ///     ``ServiceResolver/resolve(_:)`` returns the services in the manifest's `requires`. Use
    ///     ``ServiceResolver/resolveOrCreate(_:)`` for other services that the module provides.
    /// - Throws: ``ViperError/Code/serviceUndeclared`` if the manifest does not list the service in `provides`, or if
    ///   the service is already registered; ``ViperError/Code/scopeUnknown`` if the host does not know the scope.
    func register<Service>(
        _ key: ServiceKey<Service>, scope: ServiceScope,
        factory: @escaping @Sendable (any ServiceResolver) async throws -> Service
    ) throws(ViperError)
}

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
