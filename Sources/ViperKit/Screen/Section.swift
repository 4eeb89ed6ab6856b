/// A group of rows with an optional heading.
public struct Section: Sendable, Equatable, Codable {
    /// The heading, if any.
    public var title: String?
    /// The rows, in display order.
    public var rows: [Row]

    /// Creates a section without a heading.
    public init(rows: [Row]) { self.init(title: nil, rows: rows) }

    /// Creates a section with an optional heading.
    public init(title: String?, rows: [Row]) { (self.title, self.rows) = (title, rows) }
}

/// One line of a section.
public struct Row: Sendable, Equatable, Codable {
    /// The ID that ``Event/select(row:)`` refers to. Unique on the screen.
    public var id: String
    /// The row's main text.
    public var title: String
    /// Additional text, shown in a second column.
    public var detail: String?

    /// Creates a row with one column.
    public init(id: String, title: String) { self.init(id: id, title: title, detail: nil) }

    /// Creates a row with an optional second column.
    public init(id: String, title: String, detail: String?) {
        (self.id, self.title, self.detail) = (id, title, detail)
    }
}
