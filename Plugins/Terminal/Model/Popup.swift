import ViperKit

/// A box above the screen in which the user chooses something.
enum Popup: Equatable {
    case help
    /// The options of a field.
    case options(Menu)
    /// The actions of a row.
    case actions(Menu)

    struct Menu: Equatable {
        /// The ID of the field or the row.
        var id: String
        var title: String
        var entries: [Entry]
        var index = 0
        /// True if several entries can be chosen.
        var isMultiple = false

        struct Entry: Equatable {
            var id: String
            var title: String
            var isChosen = false
            var disabledReason: String?
            var isDestructive = false
            var key: String?
        }

        mutating func move(by step: Int) {
            if !entries.isEmpty { index = min(max(0, index + step), entries.count - 1) }
        }

        mutating func toggle() { if entries.indices.contains(index) { entries[index].isChosen.toggle() } }
    }

    /// The options of a choice.
    init(_ field: Field, text: String) {
        let chosen = field.kind == .choices ? text.split(separator: ",").map(String.init) : [text]
        var menu = Menu(
            id: field.id, title: field.label,
            entries: field.options.map { .init(id: $0.id, title: $0.title, isChosen: chosen.contains($0.id)) },
            isMultiple: field.kind == .choices)
        if field.kind == .choice, !field.isRequired { menu.entries.insert(.init(id: "", title: "(none)"), at: 0) }
        menu.index = menu.entries.firstIndex(where: \.isChosen) ?? 0
        self = .options(menu)
    }

    init(_ row: Row) {
        self = .actions(
            Menu(
                id: row.id, title: row.title,
                entries: row.actions.map {
                    .init(
                        id: $0.id, title: $0.title, disabledReason: $0.disabledReason,
                        isDestructive: $0.role == .destructive, key: $0.key)
                }))
    }
}
