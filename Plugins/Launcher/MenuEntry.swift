import ViperKit

/// A value that modules contribute to the point `menu`.
struct MenuItem: Decodable, Sendable, Equatable {
    /// The text that the menu shows.
    var title: String
    /// The route to open. Parameters may follow it, as in `people?olderThan=40`.
    var route: String
}

/// An entry of the menu.
struct MenuEntry: Sendable, Equatable {
    /// The name of the module that contributes the entry.
    var module: String
    /// The item, or the error if the contribution is none.
    var item: Result<MenuItem, ViperError>
}
