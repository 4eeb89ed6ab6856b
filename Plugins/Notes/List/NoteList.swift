import ViperKit

/// The notes that the list shows, page by page.
struct NoteList {
    /// The number of notes that each page adds.
    static let pageSize = 20

    /// The text that the shown notes contain. Another search starts with the first page.
    var search = "" { didSet { shown = Self.pageSize } }
    /// All notes that contain the text.
    var notes: [Note] = []
    private var shown = pageSize

    mutating func showMore() { shown += Self.pageSize }

    /// The rows of the shown pages, each with the first line of its note.
    var section: Section {
        var section = Section(rows: notes.prefix(shown).map(Self.row))
        section.more = Section.More(Action(NotesAction.more), shown: shown, of: notes.count)
        return section
    }

    private static func row(_ note: Note) -> Row {
        var row = Row(id: note.id, title: note.title, detail: note.day)
        row.text = note.text.split(separator: "\n").first.map(String.init)
        row.actions = [Action(NotesAction.delete)]
        return row
    }
}
