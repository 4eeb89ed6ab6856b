// The registrations of a module, as the host reads them. Modules do not see these types.

/// A route that a module has registered.
@_spi(Host)
public struct RegisteredRoute<M: Module>: Sendable {
    /// The route's name.
    public let name: String
    /// The type that declares the route's parameters. Nil if the module has registered the route by its name.
    public let arguments: (any RouteArguments.Type)?
    let makeView: @MainActor @Sendable (M, RouteRequest) throws -> any View

    /// Creates a scene and returns its view.
    @MainActor
    public func view(of module: M, for request: RouteRequest) throws -> any View { try makeView(module, request) }
}

/// A service that a module has registered.
@_spi(Host)
public struct RegisteredService<M: Module>: Sendable {
    /// The service's name.
    public let name: String
    /// The scope that determines which modules share an instance of the service.
    public let scope: ServiceScope
    let factory: @Sendable (M, any ServiceResolver) async throws -> any AnyObject & Sendable

    /// Creates the service and returns it in a ``ServiceBox``.
    public func make(for module: M, with services: any ServiceResolver) async throws -> any AnyObject & Sendable {
        try await factory(module, services)
    }
}

/// A class that wraps a service, so that a host can store it as an object. A cast to a box is fast, even if the
/// service's type is a protocol.
@_spi(Host)
public final class ServiceBox<Service: Sendable>: Sendable {
    /// The service.
    public let service: Service

    /// Wraps a service.
    public init(_ service: Service) { self.service = service }
}
