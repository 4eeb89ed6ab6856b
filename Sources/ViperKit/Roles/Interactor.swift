/// The interactor of a VIPER scene, which implements one use case.
///
/// An interactor gets data from services and returns plain entities. It does not know about views. It does not run on
/// the main actor, so its `async` methods may run for a long time. In classic VIPER, an interactor passes results to an
/// output object. In ViperKit, its methods return the results, so it needs no reference to the presenter. An interactor
/// is usually a struct.
public protocol Interactor: Sendable {}
