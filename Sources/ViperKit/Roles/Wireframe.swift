/// The R of VIPER, called wireframe so that *router* always means the host's: assembles a scene and navigates from it.
///
/// It holds the scene's ``Navigator``. The presenter owns it. Conforming puts the class on the main actor.
@MainActor
public protocol Wireframe: AnyObject {}
