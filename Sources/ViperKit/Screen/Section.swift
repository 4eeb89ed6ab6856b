/// Rows under a common heading.
public struct Section: Sendable, Equatable, Codable {
    /// The heading, if there is one.
    public var title: String?
    /// The rows, in the order in which they are shown.
    public var rows: [Row]

    /// Rows without a heading.
    public init(rows: [Row]) { self.init(title: nil, rows: rows) }

    /// Rows under a heading.
    public init(title: String?, rows: [Row]) { (self.title, self.rows) = (title, rows) }
}

/// One line of a list.
public struct Row: Sendable, Equatable, Codable {
    /// What ``Event/select(row:)`` names it by. Unique on the screen.
    public var id: String
    /// What the row is.
    public var title: String
    /// What there is to say about it, in a column of its own.
    public var detail: String?

    /// A row with one column.
    public init(id: String, title: String) { self.init(id: id, title: title, detail: nil) }

    /// A row with two columns.
    public init(id: String, title: String, detail: String?) {
        (self.id, self.title, self.detail) = (id, title, detail)
    }
}
