/// The interface through which a module gets the services that its manifest allows.
public protocol ServiceResolver: Sendable {
    /// Returns a service that has already been created.
    ///
    /// Before the module's initializer runs, the host creates the services in the manifest's `requires`, and the
    /// services in `optional` that have a provider. This method can be called from any thread, and from a service's
    /// factory.
    ///
    /// ```swift
    /// let files = try services.resolve(.fileReader)
    /// ```
    ///
    /// - Throws:
    ///   - ``ViperError/Code/serviceDenied`` if the manifest does not list the service.
    ///   - ``ViperError/Code/serviceMissing`` if the service has no provider.
    ///   - ``ViperError/Code/serviceNotReady`` if the service has not been created yet, such as a service that the
    ///     module itself provides. Use ``resolveOrCreate(_:)`` instead.
    ///   - ``ViperError/Code/serviceTypeMismatch`` if the service is registered with another type.
    ///   - The error of ``resolveOrCreate(_:)`` if the service is optional and could not be created.
    func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service

    /// Returns a service, and creates it first if necessary.
    ///
    /// Use this method for services that the module itself provides. It can also be called from a service's factory. If
    /// the service is already being created, this method waits for it. Cancelling the calling task ends the wait.
    ///
    /// ```swift
    /// let index = try await services.resolveOrCreate(.index)
    /// ```
    ///
    /// - Throws:
    ///   - ``ViperError/Code/serviceDenied`` if the manifest does not list the service.
    ///   - ``ViperError/Code/serviceMissing`` if the service has no provider.
    ///   - ``ViperError/Code/serviceCycle`` if the service requires itself, directly or through other services.
    ///   - ``ViperError/Code/serviceTypeMismatch`` if the service is registered with another type.
    ///   - ``ViperError/Code/serviceFailed`` if the factory throws, or if the calling task is cancelled.
    ///   - ``ViperError/Code/timeLimit`` if the factory does not return within 8 seconds.
    func resolveOrCreate<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service

    /// Returns a sequence with the services of all providers of a service: those of now, and those after each change.
    ///
    /// The manifest lists the service in `collects`. Each element of the sequence contains the services of all other
    /// modules that provide it, sorted by module name. A newer element replaces one that was not read yet.
    ///
    /// ```swift
    /// for await greeters in try services.all(.greeter) {
    ///     show(greeters.map(\.module))
    /// }
    /// ```
    ///
    /// The first call creates the providers and their services. The first element follows when this is done. A provider
    /// that fails is left out, and the host logs the reason once. The host tries it again when it changes, and after
    /// pauses that grow from one second to one minute. The host's own provider of a service is not contained.
    ///
    /// After a provider was replaced or removed, its earlier service can be used for ten more seconds. Then the provider
    /// stops. While a module is being replaced or the host ends, the services can be used until the module's `run()` has
    /// ended. The sequence ends when the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/serviceDenied`` if the manifest does not list the service in `collects`.
    func all<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> AsyncStream<[OfferedService<Service>]>
}

/// A service that one of several providers offers. See ``ServiceResolver/all(_:)``.
public struct OfferedService<Service: Sendable>: Sendable {
    /// The name of the module that provides the service.
    public var module: String
    /// The service.
    public var service: Service

    /// Creates an offered service for a test.
    public init(module: String, service: Service) { (self.module, self.service) = (module, service) }
}
