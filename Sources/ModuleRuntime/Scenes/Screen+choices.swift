public import ViperKit

extension Screen {
    /// What a person can choose by its number, counted from 1: the rows, then the alert's actions, then the screen's, so that
    /// an alert in front changes no row's number.
    public var choices: [Event] {
        sections.flatMap(\.rows).map { .select(row: $0.id) }
            + ((alert?.actions ?? []) + actions).map { .press(action: $0.id) }
    }
}
