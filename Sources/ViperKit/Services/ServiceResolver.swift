/// The interface through which a module gets the services that its manifest allows.
public protocol ServiceResolver: Sendable {
    /// Returns a service that the manifest lists in `requires` or `optional`, or that the module itself provides.
    ///
    /// This method may be called from any thread, and from a service's factory.
    ///
    /// ```swift
    /// let files = try services.resolve(.fileReader)
    /// ```
    ///
    /// - Throws:
    ///   - ``ViperError/Code/serviceDenied`` if the manifest does not list the service.
    ///   - ``ViperError/Code/serviceMissing`` if the service has no provider.
    ///   - ``ViperError/Code/serviceCycle`` if the service requires itself, directly or through other services.
    ///   - ``ViperError/Code/serviceType`` if the service is registered with another type.
    ///   - ``ViperError/Code/serviceFailed`` if the factory throws.
    func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service
}
