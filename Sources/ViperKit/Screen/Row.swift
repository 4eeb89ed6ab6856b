/// A row of a section.
public struct Row: Sendable, Equatable {
    /// The ID that ``Event/select(row:)`` and ``Event/act(row:action:)`` refer to. It must be unique on the screen.
    public var id: String
    /// The row's main text.
    public var title: String
    /// Additional text, shown in a second column.
    public var detail: String?
    /// The texts of further columns, after the title and the detail.
    public var cells: [String] = []
    /// The text below the title. Lines are separated by `\n`.
    public var text: String?
    /// A short text that marks the row, such as `new` or `3`.
    public var badge: String?
    /// The meaning of the row.
    public var tone: Screen.Tone?
    /// An image beside the title.
    public var image: Screen.Image?
    /// True if the row is checked, false if it can be checked and is not. Nil for a row without a check mark.
    public var isChecked: Bool?
    /// The actions that the user can perform on this row. Their IDs must be unique in the row.
    public var actions: [Action] = []
    /// A Boolean value that indicates whether the user can select the row.
    public var isSelectable = true
    /// The numbers that a chart draws, one for each series. Other kinds of sections ignore them.
    public var numbers: [Double] = []

    /// Creates a row with an optional second column.
    public init(id: some RowID, title: String, detail: String? = nil) {
        (self.id, self.title, self.detail) = (id.description, title, detail)
    }

    /// The texts of all columns: the title, the detail, and the cells.
    public var columns: [String] {
        if let detail { cells.isEmpty ? [title, detail] : [title, detail] + cells } else { [title] + cells }
    }
}

extension Row: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, detail, cells, text, badge, tone, image, actions, numbers
        case isChecked = "checked"
        case isSelectable = "selectable"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        detail = try values.decodeIfPresent(String.self, forKey: .detail)
        cells = try values.decodeIfPresent([String].self, forKey: .cells) ?? []
        text = try values.decodeIfPresent(String.self, forKey: .text)
        badge = try values.decodeIfPresent(String.self, forKey: .badge)
        tone = try values.decodeIfPresent(Screen.Tone.self, forKey: .tone)
        image = try values.decodeIfPresent(Screen.Image.self, forKey: .image)
        isChecked = try values.decodeIfPresent(Bool.self, forKey: .isChecked)
        actions = try values.decodeIfPresent([Action].self, forKey: .actions) ?? []
        isSelectable = try values.decodeIfPresent(Bool.self, forKey: .isSelectable) ?? true
        numbers = try values.decodeIfPresent([Double].self, forKey: .numbers) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(title, forKey: .title)
        try values.encodeIfPresent(detail, forKey: .detail)
        if !cells.isEmpty { try values.encode(cells, forKey: .cells) }
        try values.encodeIfPresent(text, forKey: .text)
        try values.encodeIfPresent(badge, forKey: .badge)
        try values.encodeIfPresent(tone, forKey: .tone)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(isChecked, forKey: .isChecked)
        if !actions.isEmpty { try values.encode(actions, forKey: .actions) }
        if !isSelectable { try values.encode(false, forKey: .isSelectable) }
        if !numbers.isEmpty { try values.encode(numbers, forKey: .numbers) }
    }
}
