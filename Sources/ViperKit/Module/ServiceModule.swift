/// A module that provides services to other modules: a data provider, a client for a protocol.
///
/// ```swift
/// final class Clocks: ServiceModule {
///     init(services: any ServiceResolver) {}
///     func registerServices(with registrar: any ServiceRegistrar) throws {
///         try registrar.register(.clock, scope: .singleton) { _ in SystemClock() }
///     }
/// }
/// ```
public protocol ServiceModule: Module {
    /// Registers each service that the manifest names in `provides`, exactly those.
    ///
    /// Runs once, right after the module was made.
    ///
    /// - Throws: Any error, or the registrar's; the host then refuses the module.
    func registerServices(with registrar: any ServiceRegistrar) throws
}
