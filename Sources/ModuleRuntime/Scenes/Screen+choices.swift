public import ViperKit

extension Screen {
    /// The events that a user can choose by number, starting at 1. The rows come first, so that an alert does not
    /// change their numbers. The alert's actions and the screen's actions follow.
    public var choices: [Event] {
        sections.flatMap(\.rows).map { .select(row: $0.id) }
            + ((alert?.actions ?? []) + actions).map { .press(action: $0.id) }
    }
}
