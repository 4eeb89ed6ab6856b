/// The I of VIPER: one use case. It gets data through services, works on plain entities, and returns them.
///
/// It knows nothing of views, and is not on the main actor: its methods are `async` and may take long. What classical
/// VIPER calls the interactor's output is the returned value, so it needs no reference back. Usually a struct.
public protocol Interactor: Sendable {}
