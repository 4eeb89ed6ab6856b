public import ViperKit

extension Screen {
    /// The events that a user can choose by number, counted from 1: the rows, the actions of the alert, the actions of
    /// the screen. An alert therefore does not change the numbers of rows.
    public var choices: [Event] {
        sections.flatMap(\.rows).map { .select(row: $0.id) }
            + ((alert?.actions ?? []) + actions).map { .press(action: $0.id) }
    }
}
