/// The R of VIPER: the role that assembles a scene and navigates from it.
///
/// It is called *wireframe* because *router* means the host's router. The presenter owns the wireframe, which holds the
/// scene's ``Navigator``. Conforming types are isolated to the main actor.
@MainActor
public protocol Wireframe: AnyObject {}
