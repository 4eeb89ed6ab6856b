import ViperKit

extension Screen {
    /// Throws an error if an event refers to an element that is not on the screen.
    func check(_ event: Event) throws(ViperError) {
        switch event {
        case .fill(let field, _): try check(field, "cannot fill field", in: form?.fields.map(\.id) ?? [])
        case .press(let action):
            try check(action, "cannot press action", in: (actions + (alert?.actions ?? [])).map(\.id))
        case .returned: break
        case .select(let row): try check(row, "cannot select row", in: sections.lazy.flatMap(\.rows).map(\.id))
        // Events that a newer version of ViperKit has added are left to the view.
        @unknown default: break
        }
    }

    private func check(_ name: String, _ what: String, in names: some Sequence<String>) throws(ViperError) {
        if names.contains(name) { return }
        let known = Array(names)
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        throw ViperError(
            .eventUnknown, operation: what, subject: name, cause: "the screen \"\(title)\" does not contain it",
            notes: [.init("available", known.isEmpty ? "none" : shown)])
    }
}
