/// The value that a library's entry point returns to the host. Creates the module and describes its capabilities.
///
/// A library defines exactly one function whose C name begins with `viper_entry_v1_`. The `1` is the major version of
/// the binary interface. The rest of the name is free, so that several modules can be linked into one test executable:
///
/// ```swift
/// @c(viper_entry_v1_Hello)
/// public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }
/// ```
public final class ModuleEntry: Sendable {
    /// A module instance, typed by each protocol that it conforms to. The host needs no dynamic cast.
    public struct Instance {
        /// The module.
        public let module: any Module
        /// The module if it is a ``RoutedModule``, otherwise nil.
        public let routed: (any RoutedModule)?
        /// The module if it is a ``ServiceModule``, otherwise nil.
        public let service: (any ServiceModule)?
    }

    /// Creates the module. Throws any error that ``Module/init(services:)`` throws.
    public let make: @MainActor @Sendable (any ServiceResolver) throws -> Instance
    /// Records the parameters of the module's ``RoutedModule/routeArguments``. Empty if it is no ``RoutedModule``.
    public let signatures: @MainActor @Sendable () -> [RouteSignature]
    /// A Boolean value that indicates whether the module is a ``RoutedModule``.
    public let answersRoutes: Bool
    /// A Boolean value that indicates whether the module is a ``ServiceModule``.
    public let providesServices: Bool

    /// Creates an entry for a module with routes.
    public init<M: RoutedModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (true, false)
        signatures = { M.routeArguments.map { RouteSignature(of: $0) } }
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: module, service: nil)
        }
    }

    /// Creates an entry for a module with services.
    public init<M: ServiceModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (false, true)
        signatures = { [] }
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: nil, service: module)
        }
    }

    /// Creates an entry for a module with routes and services.
    public init<M: RoutedModule & ServiceModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (true, true)
        signatures = { M.routeArguments.map { RouteSignature(of: $0) } }
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: module, service: module)
        }
    }
}
