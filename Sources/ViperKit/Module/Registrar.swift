/// A registrar for the routes and services that a module adds to a host.
///
/// ```swift
/// static func register(with registrar: Registrar<Clock>) {
///     registrar.route("time") { module, request in TimeView(service: module.time) }
///     registrar.route(ZoneRoute.self) { module, zone, navigator in ZoneView(zone.name, navigator) }
///     registrar.service(.timeSource, .singleton) { module, services in SystemTime() }
/// }
/// ```
///
/// Registering creates neither the module nor its services. The host passes the module to a closure when a route is
/// opened or a service is first needed.
@MainActor
public final class Registrar<M: Module> {
    /// The registered routes, in order. A route that the module registers twice is contained twice.
    @_spi(Host) public private(set) var routes: [RegisteredRoute<M>] = []
    /// The registered services, in order. A service that the module registers twice is contained twice.
    @_spi(Host) public private(set) var services: [RegisteredService<M>] = []

    @_spi(Host) public init() {}

    /// Registers a route and the closure that creates its scenes.
    ///
    /// The closure creates and connects the objects of one scene, and returns the scene's view. Do not load data in the
    /// closure. Load it in ``View/load()``. The host retains the view until the scene closes. The view must own
    /// all other objects of the scene, directly or indirectly. If the closure throws, the host does not open the scene,
    /// but the module stays active.
    ///
    /// - Parameters:
    ///   - name: The route's name as declared in the manifest, such as `people/add`.
    ///   - makeView: A closure that creates a scene. Its parameters are the module, and the request with validated
    ///     parameters.
    public func route(_ name: String, makeView: @escaping @MainActor (M, RouteRequest) throws -> any View) {
        routes.append(RegisteredRoute(name: name, arguments: nil, makeView: makeView))
    }

    /// Registers a route whose parameters are declared as a Swift type.
    ///
    /// `host build` and `host test` compare the type with the manifest. See ``route(_:makeView:)-(String,_)`` for the
    /// duties of the closure.
    ///
    /// - Parameters:
    ///   - arguments: The type that declares the route's name and parameters.
    ///   - makeView: A closure that creates a scene. Its parameters are the module, the route's parameters, and the
    ///     navigator of the new scene.
    public func route<Arguments: RouteArguments>(
        _ arguments: Arguments.Type, makeView: @escaping @MainActor (M, Arguments, any Navigator) throws -> any View
    ) {
        let route = RegisteredRoute<M>(name: arguments.route, arguments: arguments) { module, request in
            let parameters = GivenParameters(values: request.parameters)
            return try makeView(
                module, try ParameterDecoder.decode(Arguments.self, from: parameters), request.navigator)
        }
        routes.append(route)
    }

    /// Registers a service and the factory that creates it.
    ///
    /// The factory runs off the main actor when the service is first needed. Requests that arrive while it runs wait
    /// for the same instance. If the factory throws, the next request runs it again. The factory must return within 8
    /// seconds. The host cancels its task after that time, or when no request waits for the service. All services that
    /// a module needs before its initializer runs must be created within 8 seconds in total.
    ///
    /// While the factory runs, the host treats service requests from tasks that the factory started as requests from
    /// the factory. These requests take part in cycle detection, and their errors list the services that led to the
    /// factory. The host treats later requests as requests from the module.
    ///
    /// If the factory throws an error, the request throws ``ViperError/Code/serviceFailed`` with that error as the
    /// cause. Errors from the factory's own service requests keep their codes.
    ///
    /// - Parameters:
    ///   - key: A service that the manifest lists in `provides`.
    ///   - scope: The scope that determines which modules share an instance of the service.
    ///   - factory: A closure that creates the service. Its parameters are the module, and the resolver for the
    ///     module's services. ``ServiceResolver/resolve(_:)`` returns the services in the manifest's `requires`. Use
    ///     ``ServiceResolver/resolveOrCreate(_:)`` for other services that the module provides.
    public func service<Service>(
        _ key: ServiceKey<Service>, _ scope: ServiceScope,
        factory: @escaping @Sendable (M, any ServiceResolver) async throws -> Service
    ) {
        let service = RegisteredService<M>(name: key.name, scope: scope) { module, services in
            ServiceBox(try await factory(module, services))
        }
        services.append(service)
    }
}
