/// The interface through which a module gets the services that its manifest allows.
public protocol ServiceResolver: Sendable {
    /// Returns a service that is ready.
    ///
    /// The services in the manifest's `requires`, and those in `optional` that have a provider, are created before the
    /// module's initializer runs. This method may be called from any thread, and from a service's factory.
    ///
    /// ```swift
    /// let files = try services.resolve(.fileReader)
    /// ```
    ///
    /// - Throws:
    ///   - ``ViperError/Code/serviceDenied`` if the manifest does not list the service.
    ///   - ``ViperError/Code/serviceMissing`` if the service has no provider.
    ///   - ``ViperError/Code/serviceNotReady`` if the service has not been created yet, as with a service that the
    ///     module itself provides. Use ``prepare(_:)`` instead.
    ///   - ``ViperError/Code/serviceType`` if the service is registered with another type.
    ///   - The error of ``prepare(_:)`` if the service is optional and could not be created.
    func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service

    /// Returns a service, and creates it if it is not ready.
    ///
    /// Use this method for services that the module itself provides, also inside factories. It waits if the service is
    /// already being created. If the calling task is cancelled, the wait ends.
    ///
    /// ```swift
    /// let index = try await services.prepare(.index)
    /// ```
    ///
    /// - Throws:
    ///   - ``ViperError/Code/serviceDenied`` if the manifest does not list the service.
    ///   - ``ViperError/Code/serviceMissing`` if the service has no provider.
    ///   - ``ViperError/Code/serviceCycle`` if the service requires itself, directly or through other services.
    ///   - ``ViperError/Code/serviceType`` if the service is registered with another type.
    ///   - ``ViperError/Code/serviceFailed`` if the factory throws, or if the calling task is cancelled.
    ///   - ``ViperError/Code/timeLimit`` if the factory does not return within 8 seconds.
    func prepare<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service
}
