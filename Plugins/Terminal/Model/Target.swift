/// A part of the screen that the user can move to or click on. Targets have IDs, so they survive changes of the screen.
enum Target: Hashable {
    case field(String)
    case row(String)
    /// The offer of more rows of a section.
    case more(section: Int)
    case emptyAction
    /// An action of the screen, or of its alert.
    case action(String)
    /// A line of the popup.
    case popup(Int)
    /// A part that swallows clicks, such as the frame of a box.
    case nothing
}
