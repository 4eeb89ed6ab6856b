/// A module that answers routes: each open of a route is one scene with a view of its own.
///
/// ```swift
/// final class Hello: RoutedModule {
///     init(services: any ServiceResolver) {}
///     func view(for request: RouteRequest) -> any View { HelloView() }
/// }
/// ```
public protocol RoutedModule: Module {
    /// Assembles the roles of one scene and returns its view.
    ///
    /// Only assembles: reading data belongs to ``View/viewDidLoad()``. The host keeps the view until the scene closes and
    /// releases it then; everything else in the scene must hang on the view.
    ///
    /// - Parameter request: A route that the manifest declares, with parameters already checked against it.
    /// - Throws: Any error; the scene is then not opened, and the module stays active.
    func view(for request: RouteRequest) throws -> any View
}
