import ViperKit

/// A text with a title.
struct Note: Record, Equatable {
    var id: String
    var title: String
    var text: String

    /// Returns true if the title or the text contains another text, in upper or lower case.
    func contains(_ search: String) -> Bool {
        let search = search.lowercased()
        return search.isEmpty || title.lowercased().contains(search) || text.lowercased().contains(search)
    }
}
