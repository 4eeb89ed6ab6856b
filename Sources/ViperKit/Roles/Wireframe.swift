/// The wireframe of a VIPER scene, which assembles the scene and opens other scenes from it.
///
/// Classic VIPER calls this role the router. In ViperKit, *router* always means the host's central router. The
/// presenter owns the wireframe, and the wireframe holds the scene's ``Navigator``. Conforming types are isolated to
/// the main actor.
@MainActor
public protocol Wireframe: AnyObject {}
