import ViperKit

/// The people that a search has found, page by page.
struct FoundPeople {
    /// The number of people that each page adds.
    static let pageSize = 20

    /// The text of the search. Another search starts with the first page.
    var text: String { didSet { shown = Self.pageSize } }
    /// The companies with the people that were found.
    var companies: [Company] = [] { didSet { count = companies.reduce(0) { $0 + $1.people.count } } }
    private(set) var count = 0
    private var shown = pageSize

    init(text: String) { self.text = text }

    mutating func showMore() { shown += Self.pageSize }

    /// The sections of the shown pages, one for each company.
    var sections: [Section] {
        var (sections, left) = ([Section](), shown)
        for company in companies where left > 0 {
            let people = company.people.prefix(left)
            sections.append(Section(title: company.name, rows: people.map(\.row)))
            left -= people.count
        }
        if let last = sections.indices.last {
            sections[last].more = Section.More(Action(CompanySearchAction.more), shown: shown, of: count)
        }
        return sections
    }
}

extension Person {
    /// The row that stands for the person in lists.
    var row: Row { Row(id: id, title: "\(first) \(last)", detail: balance) }
}
