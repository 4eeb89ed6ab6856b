/// An input of the user, by key or mouse.
enum Key: Equatable {
    case text(Character)
    /// A letter with Ctrl.
    case control(Character)
    /// Pasted text. It never presses anything.
    case paste(String)
    case enter, tab, backTab, escape, backspace, delete, help
    case up, down, left, right, home, end, pageUp, pageDown
    case click(row: Int, column: Int)
    /// The wheel of the mouse: lines up if negative, down if positive.
    case wheel(Int)
}
