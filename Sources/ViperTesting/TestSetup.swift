import ModuleRuntime
public import ViperKit

/// The additions of a test to its host besides the module under test: services, other modules, stubs of routes, and
/// contributions.
public struct TestSetup {
    // The time limit is much longer than a host's: a process may start 2,000 tests at once on a busy machine. A test that
    // can hang has a limit of its own.
    let container = ServiceContainer(timeLimit: .seconds(600))
    private(set) var services: [Any] = []
    private(set) var modules: [(type: any Module.Type, manifest: String)] = []
    private(set) var stubs: [String: StubbedRoute] = [:]
    /// The contributions as JSON texts, keyed by point.
    private(set) var contributions: [String: [String]] = [:]

    /// Provides a service in place of the host's service. Replaces any service that was provided earlier for the same
    /// key.
    public mutating func provide<Service>(_ key: ServiceKey<Service>, _ service: Service) {
        services.append(service)
        // This name is not a valid module name, so it never matches a module.
        let provider = "the test's \(key.name)"
        container.removeAll(from: provider)
        _ = container.register(key, provider: provider, scope: .singleton) { _ in service }
    }

    /// Adds another module, so that scenes of several modules can open each other.
    ///
    /// - Parameters:
    ///   - type: The module's type.
    ///   - manifest: The manifest, as in ``TestHost/init(_:manifest:testFile:sourceLocation:provide:)``.
    public mutating func add(_ type: any Module.Type, manifest: String) { modules.append((type, manifest)) }

    /// Answers a route with a view in place of the module that has it. No module needs to have it.
    ///
    /// - Parameters:
    ///   - route: The route's name. Empty for the start route, which front ends open.
    ///   - view: A closure that returns the view. The parameters are those that the caller gives, without the manifest's
    ///     checks and defaults. Those of an address, such as `person?id=3`, are strings.
    public mutating func stub(_ route: String, showing view: @escaping @MainActor (RouteRequest) throws -> any View) {
        stubs[route] = StubbedRoute(view: view)
    }

    /// Answers a route with a scene that closes at once and returns a result. No module needs to have the route.
    ///
    /// - Parameters:
    ///   - route: The route's name.
    ///   - result: A closure that returns the result. See ``stub(_:showing:)`` for the parameters.
    public mutating func stub<Result: Encodable & Sendable>(
        _ route: String, returning result: @escaping @MainActor (RouteRequest) throws -> Result
    ) {
        stubs[route] = StubbedRoute { request in
            ReturningView(result: try result(request), navigator: request.navigator)
        }
    }

    /// Contributes a value to a point, as another module would.
    ///
    /// - Parameters:
    ///   - json: The value as a JSON text, such as `{"title": "People", "route": "people"}`.
    ///   - point: The name of the point, such as `menu`.
    public mutating func contribute(_ json: String, to point: String) { contributions[point, default: []].append(json) }
}
