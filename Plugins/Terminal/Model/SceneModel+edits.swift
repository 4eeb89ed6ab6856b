import ViperKit

// The texts that the user types into fields.
extension SceneModel {
    func field(_ id: String) -> Field? { screen.form?.fields.first { $0.id == id } }

    /// The field with the focus.
    var field: Field? {
        guard case .field(let id) = focus, alert == nil else { return nil }
        return field(id)
    }

    /// The row with the focus.
    var row: Row? {
        guard let index, alert == nil, case .row(let section, let row) = items[index] else { return nil }
        return screen.sections[section].rows[row]
    }

    /// The text of a field: the user's, or the module's.
    func text(of field: Field) -> String { edits[field.id]?.text ?? field.value }

    /// Returns events for the fields whose text the module does not know yet, in the form's order.
    mutating func takeFills() -> [Event] {
        (screen.form?.fields ?? []).compactMap { field in
            guard let edit = edits[field.id], !edit.isSent, edit.text != field.value else { return nil }
            edits[field.id]?.isSent = true
            if field.kind.isSecret { filledSecrets.insert(field.id) }
            return .fill(field: field.id, text: edit.text)
        }
    }

    /// Forgets the texts that the module has received. From now on, the fields show what the module has made of them.
    ///
    /// - Parameter keepsSearch: True to keep the text of a search field that the user is typing.
    mutating func forgetSentEdits(keepsSearch: Bool) {
        let typing = keepsSearch ? field.flatMap { $0.kind == .search ? $0.id : nil } : nil
        edits = edits.filter { id, edit in id == typing || !edit.isSent }
    }
}

extension Field.Kind {
    /// True if the user types the text of such a field, instead of choosing it.
    var isTyped: Bool { ![.toggle, .choice, .choices].contains(self) }
}
