/// The value that a library's entry point returns to the host. It creates the module and describes its capabilities.
///
/// A library defines exactly one function with a C name that begins with `viper_entry_v1_`. The `1` is the major
/// version of the binary interface. The rest of the name is your choice. Modules with different names can be linked
/// into the same test executable:
///
/// ```swift
/// @c(viper_entry_v1_Hello)
/// public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }
/// ```
public final class ModuleEntry: Sendable {
    /// A module instance, with a property for each protocol that it can conform to. The host therefore needs no dynamic
    /// casts.
    public struct Instance {
        /// The module.
        public let module: any Module
        /// The module as a ``RoutedModule``, or nil if it does not conform to that protocol.
        public let routed: (any RoutedModule)?
        /// The module as a ``ServiceModule``, or nil if it does not conform to that protocol.
        public let service: (any ServiceModule)?
    }

    /// A closure that creates the module. It throws any error that ``Module/init(services:)`` throws.
    public let make: @MainActor @Sendable (any ServiceResolver) throws -> Instance
    /// A closure that returns the signatures of the module's ``RoutedModule/routeArguments``. It returns an empty array
    /// if the module is not a ``RoutedModule``.
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
