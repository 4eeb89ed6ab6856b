/// The P of VIPER: the mediator between view and interactor.
///
/// The presenter formats the interactor's results for the view, and turns user events into use cases. It owns its
/// interactor and its wireframe, and refers to its view weakly. It decides all display text and number formats.
/// Conforming types are isolated to the main actor.
@MainActor
public protocol Presenter: AnyObject {}
