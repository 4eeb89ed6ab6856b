package import ViperKit

/// A kind of element that an event can refer to by its ID.
///
/// The cases are in the order of the numbers by which a user chooses elements. The rows come first, so that an alert
/// does not change their numbers.
package enum ScreenElement: CaseIterable, Sendable {
    case row, alertAction, action, field

    /// The name of several elements of this kind.
    package var plural: String {
        switch self {
        case .row: "rows"
        case .alertAction: "actions of an alert"
        case .action: "actions"
        case .field: "fields"
        }
    }

    /// Returns the event that refers to an element of this kind.
    ///
    /// - Parameters:
    ///   - id: The element's ID.
    ///   - text: The text to write into a field. Other elements ignore it.
    package func event(id: String, text: String) -> Event {
        switch self {
        case .row: .select(row: id)
        case .alertAction, .action: .press(action: id)
        case .field: .fill(field: id, text: text)
        }
    }
}

extension Screen {
    /// Returns the IDs of all elements of a kind, in display order.
    package func ids(of element: ScreenElement) -> [String] {
        switch element {
        case .row: sections.flatMap { $0.rows.map(\.id) }
        case .alertAction: alert?.actions.map(\.id) ?? []
        case .action: actions.map(\.id)
        case .field: form?.fields.map(\.id) ?? []
        }
    }

    /// The events that a user can choose by number, starting at 1. Fields have no numbers, because they need a text.
    package var choices: [Event] {
        ScreenElement.allCases.filter { $0 != .field }.flatMap { element in
            ids(of: element).map { element.event(id: $0, text: "") }
        }
    }

    /// Throws an error if an event refers to an element that is not on the screen.
    func check(_ event: Event) throws(ViperError) {
        switch event {
        case .fill(let field, _): try check(field, "cannot fill field", in: ids(of: .field))
        case .press(let action): try check(action, "cannot press action", in: ids(of: .action) + ids(of: .alertAction))
        case .select(let row): try check(row, "cannot select row", in: ids(of: .row))
        case .returned: break
        // Events that a newer version of ViperKit has added are left to the view.
        @unknown default: break
        }
    }

    private func check(_ id: String, _ operation: String, in known: [String]) throws(ViperError) {
        if known.contains(id) { return }
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        throw ViperError(
            .eventUnknown, operation: operation, subject: id, cause: "the screen \"\(title)\" does not contain it",
            notes: [.init("available", known.isEmpty ? "none" : shown)])
    }
}
