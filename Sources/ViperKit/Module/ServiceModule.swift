/// A module that provides services to other modules, such as a data provider or an HTTP client.
///
/// ```swift
/// final class Uplink: ServiceModule {
///     init(services: any ServiceResolver) {}
///     func registerServices(with registrar: any ServiceRegistrar) throws {
///         try registrar.register(.httpClient, scope: .singleton) { _ in UplinkClient() }
///     }
/// }
/// ```
public protocol ServiceModule: Module {
    /// Registers exactly the services that the manifest lists in `provides`.
    ///
    /// The host calls this method once, immediately after the initializer.
    ///
    /// - Throws: Any error, such as an error of the registrar. The host then refuses the module.
    func registerServices(with registrar: any ServiceRegistrar) throws
}
