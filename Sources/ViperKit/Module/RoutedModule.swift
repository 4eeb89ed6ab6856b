/// A module with routes. Each time a route is opened, the module creates a scene with its own view.
///
/// ```swift
/// final class Hello: RoutedModule {
///     init(services: any ServiceResolver) {}
///     func view(for request: RouteRequest) -> any View { HelloView() }
/// }
/// ```
public protocol RoutedModule: Module {
    /// The types of the module's route parameters. The default is empty.
    ///
    /// `host build` and `host test` compare them with the manifest. The host does not use them when it runs.
    static var routeArguments: [any RouteArguments.Type] { get }

    /// Assembles the roles of one scene and returns its view.
    ///
    /// Do not load data here; load it in ``View/viewDidLoad()``. The host keeps the view until the scene closes. The
    /// view must own all other objects of the scene.
    ///
    /// - Parameter request: A route that the manifest declares, with validated parameters.
    /// - Throws: Any error. The host then does not open the scene; the module stays active.
    func view(for request: RouteRequest) throws -> any View
}

extension RoutedModule {
    public static var routeArguments: [any RouteArguments.Type] { [] }
}
