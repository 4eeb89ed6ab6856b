import ViperKit

/// The buttons of actions.
extension ScreenPage {
    /// Returns the buttons of actions of the screen or its alert. Nil if there are none.
    ///
    /// - Parameter isUrgent: True if a browser without a script moves the focus to the first button.
    func buttons(_ actions: [Action], isUrgent: Bool = false) -> HTML? {
        if actions.isEmpty { return nil }
        let markup = HTML.joined(actions.enumerated()) { number, action in
            let focus: HTML? = isUrgent && number == 0 ? " autofocus=\"\"" : nil
            let name: HTML = "name=\"press\" value=\"\(id: action.id)\"\(focus)"
            return button(action, name)
        }
        return "<div class=\"buttons\">\(markup)</div>\n"
    }

    /// Returns the buttons of a row's actions. Nil if there are none.
    func buttons(of row: Row) -> HTML? {
        if row.actions.isEmpty { return nil }
        let markup = HTML.joined(row.actions) { action in
            // A screen reader reads a button without the row that it is in.
            let name: HTML = """
                name="act.\(id: action.id)" value="\(id: row.id)" aria-label="\(action.title): \(row.title)"
                """
            return button(action, name)
        }
        return "<span class=\"buttons\">\(markup)</span>"
    }

    private func button(_ action: Action, _ attributes: HTML) -> HTML {
        let key: HTML? = action.usableKey.map { " accesskey=\"\($0)\"" }
        let cap: HTML? = action.usableKey.map { " <kbd aria-hidden=\"true\">\($0)</kbd>" }
        // A disabled button cannot get the focus, so its reason is a part of its name.
        let reason: HTML? = action.disabledReason.map { " <bdi class=\"reason\">\($0)</bdi>" }
        let disabled: HTML? = action.disabledReason == nil ? nil : " disabled=\"\""
        return """
            <button class="\(look(of: action))" \(attributes)\(key)\(disabled)>\
            <bdi>\(action.title)</bdi>\(cap)\(reason)</button>
            """
    }

    /// Returns the class of an action's button. The action that Enter presses looks like a default action.
    private func look(of action: Action) -> HTML {
        if !fields.isEmpty, action == defaultAction { return "default" }
        return action.role?.name ?? "plain"
    }

    /// The first button of the form, which a browser presses for Enter in a field. Without a default action it is
    /// disabled, so that Enter does not press the next button, such as a row.
    var defaultButton: HTML? {
        if fields.isEmpty { return nil }
        guard let action = defaultAction else {
            return "<button class=\"unseen\" disabled=\"\" aria-hidden=\"true\" tabindex=\"-1\">Enter</button>\n"
        }
        return """
            <button class="unseen" name="press" value="\(id: action.id)" aria-hidden="true" tabindex="-1">\
            \(action.title)</button>

            """
    }

    private var defaultAction: Action? {
        if state.isClosed { return nil }
        let usable = screen.actions.filter { $0.disabledReason == nil }
        return usable.first { $0.role == .default } ?? usable.first { $0.role == nil }
    }
}

extension Action {
    /// The key, if it is a single character. HTML allows only one code point.
    fileprivate var usableKey: String? { key.flatMap { $0.unicodeScalars.count == 1 && $0 != " " ? $0 : nil } }
}

extension Action.Role {
    /// The class of buttons with this role.
    fileprivate var name: HTML {
        switch self {
        case .default: "default"
        case .cancel: "cancel"
        case .destructive: "destructive"
        case .refresh: "refresh"
        default: "plain"
        }
    }
}
