/// Hands out services. A module gets one that knows the module's manifest.
public protocol ServiceResolver: Sendable {
    /// The service with this key: one that the manifest names in `requires` or `optional`, or that the module provides itself.
    /// May be called from any thread, and from inside a factory.
    ///
    /// ```swift
    /// let files = try services.resolve(.fileReader)
    /// ```
    ///
    /// - Throws: ``ViperError/Code/serviceDenied`` when the manifest does not name it,
    ///   ``ViperError/Code/serviceMissing`` when nobody provides it, ``ViperError/Code/serviceCycle`` when it needs itself,
    ///   ``ViperError/Code/serviceType`` when it has another type, ``ViperError/Code/serviceFailed`` when its factory threw.
    func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service
}
