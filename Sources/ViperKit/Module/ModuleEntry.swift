/// What a library's entry hands to the host: how its module is made, and what the module can do.
///
/// A library defines exactly one function whose C name begins with `viper_module_v1_`. The `1` is the major version of
/// this binary interface; the rest is free, so that several modules fit into one test executable:
///
/// ```swift
/// @c(viper_module_v1_Hello)
/// public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }
/// ```
public final class ModuleEntry: Sendable {
    /// A module that was made, seen as each thing that it can do, so that nobody has to cast.
    public struct Instance {
        /// The module.
        public let module: any Module
        /// The same module when it answers routes.
        public let routed: (any RoutedModule)?
        /// The same module when it provides services.
        public let service: (any ServiceModule)?
    }

    /// Makes the module. Throws what its ``Module/init(services:)`` throws.
    public let make: @MainActor @Sendable (any ServiceResolver) throws -> Instance
    /// Whether the module is a ``RoutedModule``.
    public let answersRoutes: Bool
    /// Whether the module is a ``ServiceModule``.
    public let providesServices: Bool

    /// An entry for a module that answers routes.
    public init<M: RoutedModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (true, false)
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: module, service: nil)
        }
    }

    /// An entry for a module that provides services.
    public init<M: ServiceModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (false, true)
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: nil, service: module)
        }
    }

    /// An entry for a module that does both.
    public init<M: RoutedModule & ServiceModule>(_ type: M.Type) {
        (answersRoutes, providesServices) = (true, true)
        make = { services in
            let module = try M(services: services)
            return Instance(module: module, routed: module, service: module)
        }
    }
}
