/// A module with routes. Each time a route is opened, the module creates a scene with its own view.
///
/// ```swift
/// final class Hello: RoutedModule {
///     init(services: any ServiceResolver) {}
///     func view(for request: RouteRequest) -> any View { HelloView() }
/// }
/// ```
public protocol RoutedModule: Module {
    /// The types that declare the parameters of the module's routes. The default is an empty array.
    ///
    /// `host build` and `host test` compare these types with the manifest. A running host does not use them.
    static var routeArguments: [any RouteArguments.Type] { get }

    /// Creates and connects the objects of one scene, and returns the scene's view.
    ///
    /// Do not load data in this method. Load it in ``View/load()``. The host retains the view until the scene
    /// closes. The view must own all other objects of the scene, directly or indirectly.
    ///
    /// - Parameter request: The request. Its route is declared in the manifest, and its parameters are validated.
    /// - Throws: Any error. The host then does not open the scene, but the module stays active.
    func view(for request: RouteRequest) throws -> any View
}

extension RoutedModule {
    public static var routeArguments: [any RouteArguments.Type] { [] }
}
