package import ViperKit

/// A kind of element that an event can refer to by its ID.
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
}

extension Screen {
    /// The rows of all sections, in display order.
    var rows: some Sequence<Row> { sections.lazy.flatMap(\.rows) }

    /// True if the screen shows ``ViperKit/Screen/emptyText`` and ``ViperKit/Screen/emptyAction``. A section of an unknown
    /// kind may have content that is not shown.
    package var isEmpty: Bool { sections.allSatisfy { $0.rows.isEmpty && $0.fallback == nil } }

    /// The actions of the screen and of its parts, in display order. The actions of the alert and of rows are not among
    /// them.
    package var allActions: [Action] {
        sections.compactMap { $0.more?.action } + (isEmpty ? emptyAction.map { [$0] } ?? [] : []) + actions
    }

    /// Returns the IDs of all elements of a kind, in display order.
    package func ids(of element: ScreenElement) -> [String] {
        switch element {
        case .row: rows.map(\.id)
        case .alertAction: alert?.actions.map(\.id) ?? []
        case .action: allActions.map(\.id)
        case .field: form?.fields.map(\.id) ?? []
        }
    }

    /// The events that a user can choose by number, starting at 1. The rows come first, so that an alert does not change
    /// their numbers. Fields have no numbers, because they need a text. The actions of rows have none, because they would
    /// change the numbers of other rows.
    package var choices: [Event] {
        rows.filter(\.isSelectable).map { .select(row: $0.id) }
            + ((alert?.actions ?? []) + allActions).filter(\.isEnabled).map { .press(action: $0.id) }
    }

    /// Throws an error if an event refers to an element that is not on the screen, or that cannot be used now.
    func check(_ event: Event) throws(ViperError) {
        switch event {
        case .fill(let field, _):
            let known = ids(of: .field)
            if !known.contains(field) { throw missing(field, "cannot fill field", in: known) }
        case .press(let action):
            try check(action, in: allActions + (alert?.actions ?? []), of: "the screen \"\(title)\"")
        case .select(let id):
            if try !row(id, "cannot select row").isSelectable {
                throw refused("cannot select row", id, "it cannot be selected")
            }
        case .act(let id, let action):
            try check(action, in: try row(id, "cannot use row").actions, of: "the row \"\(id)\"")
        case .returned: break
        // Events that a newer version of ViperKit has added are left to the view.
        @unknown default: break
        }
    }

    private func row(_ id: String, _ operation: String) throws(ViperError) -> Row {
        guard let row = rows.first(where: { $0.id == id }) else { throw missing(id, operation, in: ids(of: .row)) }
        return row
    }

    private func check(_ id: String, in actions: [Action], of place: String) throws(ViperError) {
        guard let action = actions.first(where: { $0.id == id }) else {
            throw missing(id, "cannot press action", in: actions.map(\.id), of: place)
        }
        if let reason = action.disabledReason {
            throw refused("cannot press action", id, "it is disabled: \(reason)")
        }
    }

    private func missing(
        _ id: String, _ operation: String, in known: [String], of place: String? = nil
    ) -> ViperError {
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return refused(
            operation, id, "\(place ?? "the screen \"\(title)\"") does not contain it",
            notes: [.init("available", known.isEmpty ? "none" : shown)])
    }

    private func refused(
        _ operation: String, _ id: String, _ cause: String, notes: [ViperError.Note] = []
    ) -> ViperError {
        ViperError(.eventUnknown, operation: operation, subject: id, cause: cause, notes: notes)
    }
}

extension Action {
    /// True if the user can press the action.
    package var isEnabled: Bool { disabledReason == nil }
}
