/// The I of VIPER: the implementation of one use case.
///
/// An interactor gets data through services and returns plain entities. It knows nothing about views and does not run
/// on the main actor, so its `async` methods may run for a long time. Classical VIPER delivers results through an
/// interactor output; here they are return values, and no back reference is needed. An interactor is usually a struct.
public protocol Interactor: Sendable {}
