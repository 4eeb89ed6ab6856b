/// The P of VIPER: turns what the interactor returns into what the view shows, and a person's events into use cases.
///
/// It owns its interactor and its wireframe, and refers to its view weakly. Every word and number format that a person
/// sees is decided here. Conforming puts the class on the main actor.
@MainActor
public protocol Presenter: AnyObject {}
