import ViperKit

/// The people that the list shows, page by page.
struct PeopleList: Sendable {
    /// The number of people that each page adds.
    static let pageSize = 20

    /// All people of the route.
    var all: [Person] = []
    /// The text that the names of the shown people contain. Another search starts with the first page.
    var search = "" { didSet { shown = Self.pageSize } }
    /// The people whose names contain the text.
    var found: [Person] = []
    private var shown = pageSize

    mutating func showMore() { shown += Self.pageSize }

    /// The text of the search. Nil if all people fit on a page, so that nobody needs to search.
    var offeredSearch: String? { all.count > Self.pageSize || !search.isEmpty ? search : nil }

    /// The rows of the shown pages.
    var section: Section {
        var section = Section(rows: found.prefix(shown).map { Row(id: $0.id, title: $0.line) })
        section.more = Section.More(Action(PeopleAction.more), shown: shown, of: found.count)
        return section
    }

    /// The text in place of the rows.
    var emptyText: String { search.isEmpty ? "Nobody yet" : "No name contains \(search)" }

    /// Returns the people whose names contain a text, in upper or lower case. Runs off the main actor, because there may
    /// be many people.
    @concurrent
    static func people(_ people: [Person], named text: String) async -> [Person] {
        let text = text.lowercased()
        return text.isEmpty ? people : people.filter { $0.name.lowercased().contains(text) }
    }
}
