import ViperKit

/// A text with a title, and the day that it is for.
struct Note: Record, Equatable {
    var id: String
    var title: String
    var text: String
    /// A day such as `2026-11-25`. Nil if the note is for no day.
    var day: String?

    /// Returns true if the title or the text contains another text, in upper or lower case.
    func contains(_ search: String) -> Bool {
        let search = search.lowercased()
        return search.isEmpty || title.lowercased().contains(search) || text.lowercased().contains(search)
    }
}
