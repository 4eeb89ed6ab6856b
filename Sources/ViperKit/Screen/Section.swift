/// A group of rows with an optional heading.
public struct Section: Sendable, Equatable {
    /// The heading, or nil if there is none.
    public var title: String?
    /// The rows, in display order.
    public var rows: [Row]
    /// The kind of content. If the host does not know the kind, it shows the kind's name above the rows.
    public var kind = Kind.rows
    /// The columns of the rows, from the title on. A table shows their titles, and a chart the names of its series. Columns
    /// without an element are aligned to the leading edge.
    public var columns: [Column] = []
    /// The text below the rows.
    public var footer: String?
    /// The offer to show more rows. Nil if all rows are shown.
    public var more: More?

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
        /// A table with column titles.
        public static var table: Self { Self(rawValue: "table") }
        /// A chart with a bar for each row and number. As text, it is a table.
        public static var barChart: Self { Self(rawValue: "bar-chart") }
        /// A chart with a line for each number of the rows. As text, it is a table.
        public static var lineChart: Self { Self(rawValue: "line-chart") }
    }

    /// A column of a section's rows.
    public struct Column: Sendable, Equatable {
        /// The heading in a table, or the name of a series in a chart. Empty for none.
        public var title: String
        /// The edge to which the texts are aligned.
        public var alignment: Alignment

        /// Creates a column.
        public init(_ title: String, alignment: Alignment = .leading) {
            (self.title, self.alignment) = (title, alignment)
        }

        /// The edge to which a column's texts are aligned. A renderer aligns texts to the leading edge if it does not know
        /// the alignment.
        public struct Alignment: RawRepresentable, Hashable, Sendable, Codable {
            /// The alignment's name in a screen's JSON form.
            public let rawValue: String

            /// Creates an alignment with the given name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The edge at which lines begin. A screen's JSON form omits this alignment.
            public static var leading: Self { Self(rawValue: "leading") }
            /// The edge at which lines end, for numbers.
            public static var trailing: Self { Self(rawValue: "trailing") }
        }
    }

    /// An offer to show more rows than a section contains.
    public struct More: Sendable, Equatable, Codable {
        /// The action that loads the next rows.
        public var action: Action
        /// The number of rows that are shown, such as `20 of 2,000`.
        public var status: String?

        /// Creates an offer.
        public init(_ action: Action, status: String? = nil) { (self.action, self.status) = (action, status) }

        /// Creates an offer with a status such as `20 of 2,000`. Returns nil if all rows are shown.
        ///
        /// - Parameters:
        ///   - action: The action that loads the next rows.
        ///   - shown: The number of rows that are shown.
        ///   - count: The number of all rows.
        public init?(_ action: Action, shown: Int, of count: Int) {
            if shown >= count { return nil }
            self.init(action, status: "\(Self.grouped(shown)) of \(Self.grouped(count))")
        }

        /// Returns a number with a comma before each group of three digits.
        private static func grouped(_ number: Int) -> String {
            let digits = Array("\(number)".utf8)
            return digits.indices.reduce(into: "") { text, index in
                if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
                text.unicodeScalars.append(Unicode.Scalar(digits[index]))
            }
        }
    }
}

extension Section: Codable {
    private enum CodingKeys: String, CodingKey { case title, rows, kind, columns, footer, more }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        // Sections of other kinds may have no rows.
        rows = try values.decodeIfPresent([Row].self, forKey: .rows) ?? []
        kind = try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .rows
        columns = try values.decodeIfPresent([Column].self, forKey: .columns) ?? []
        footer = try values.decodeIfPresent(String.self, forKey: .footer)
        more = try values.decodeIfPresent(More.self, forKey: .more)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encode(rows, forKey: .rows)
        if kind != .rows { try values.encode(kind, forKey: .kind) }
        if !columns.isEmpty { try values.encode(columns, forKey: .columns) }
        try values.encodeIfPresent(footer, forKey: .footer)
        try values.encodeIfPresent(more, forKey: .more)
    }
}

extension Section.Column: Codable {
    private enum CodingKeys: String, CodingKey { case title, alignment }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        alignment = try values.decodeIfPresent(Alignment.self, forKey: .alignment) ?? .leading
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(title, forKey: .title)
        if alignment != .leading { try values.encode(alignment, forKey: .alignment) }
    }
}
