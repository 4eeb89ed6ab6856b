/// A group of rows with an optional heading.
public struct Section: Sendable, Equatable {
    /// The heading, or nil if there is none.
    public var title: String?
    /// The rows, in display order.
    public var rows: [Row]
    /// The kind of content. If the host does not know the kind, it shows the kind's name above the rows.
    public var kind = Kind.rows

    /// Creates a section with an optional heading.
    public init(title: String? = nil, rows: [Row]) { (self.title, self.rows) = (title, rows) }

    /// The kind of content of a section. This type is a struct so that kinds can be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name in a screen's JSON form.
        public let rawValue: String

        /// Creates a kind with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A list of rows. A screen's JSON form omits this kind.
        public static var rows: Self { Self(rawValue: "rows") }
    }
}

extension Section: Codable {
    private enum CodingKeys: String, CodingKey { case title, rows, kind }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        // Sections of other kinds may have no rows.
        rows = try values.decodeIfPresent([Row].self, forKey: .rows) ?? []
        kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .rows
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encode(rows, forKey: .rows)
        if kind != .rows { try values.encode(kind, forKey: .kind) }
    }
}

/// A row of a section.
public struct Row: Sendable, Equatable, Codable {
    /// The ID that ``Event/select(row:)`` refers to. It must be unique on the screen.
    public var id: String
    /// The row's main text.
    public var title: String
    /// Additional text, shown in a second column.
    public var detail: String?

    /// Creates a row with an optional second column.
    public init(id: some RowID, title: String, detail: String? = nil) {
        (self.id, self.title, self.detail) = (id.description, title, detail)
    }
}
