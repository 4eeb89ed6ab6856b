/// The content of a view, as a plain value that a renderer turns into text or JSON.
///
/// Every part except the title is optional. The JSON form omits empty parts. Later versions may add properties and
/// kinds of parts. An earlier version ignores a property that it does not know, and shows the name of an unknown kind.
/// See <doc:Compatibility>.
///
/// ```swift
/// var screen = Screen(title: "People")
/// screen.sections = [Section(title: "COMSTAR", rows: [Row(id: "1", title: "Ada", detail: "36")])]
/// ```
public struct Screen: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// An image beside the heading, such as a logo.
    public var image: Image?
    /// The text under the heading. Lines are separated by `\n`.
    public var text: String?
    /// The sections, in display order.
    public var sections: [Section] = []
    /// The text to show if there are no rows.
    public var emptyText: String?
    /// The action to offer below ``emptyText``, such as to add the first row.
    public var emptyAction: Action?
    /// A form to fill in.
    public var form: Form?
    /// The actions that the user can choose.
    public var actions: [Action] = []
    /// A message that is shown above the other content. The other content stays visible.
    public var alert: Alert?
    /// A short confirmation of what happened, such as `Saved`. The module removes it with the next change.
    public var message: String?
    /// The progress of work that will change the screen. Nil if no work is in progress, or if only ``isLoading`` tells.
    public var progress: Progress?
    /// A Boolean value that indicates whether work that will change the screen is in progress.
    public var isLoading = false

    /// Creates a screen that has only a heading.
    public init(title: String) { self.title = title }
}

extension Screen: Codable {
    private enum CodingKeys: String, CodingKey {
        case title, image, text, sections, emptyText, emptyAction, form, actions, alert, message, progress
        case isLoading = "loading"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(title: try values.decode(String.self, forKey: .title))
        image = try values.decodeIfPresent(Image.self, forKey: .image)
        text = try values.decodeIfPresent(String.self, forKey: .text)
        sections = try values.decodeIfPresent([Section].self, forKey: .sections) ?? []
        emptyText = try values.decodeIfPresent(String.self, forKey: .emptyText)
        emptyAction = try values.decodeIfPresent(Action.self, forKey: .emptyAction)
        form = try values.decodeIfPresent(Form.self, forKey: .form)
        actions = try values.decodeIfPresent([Action].self, forKey: .actions) ?? []
        alert = try values.decodeIfPresent(Alert.self, forKey: .alert)
        message = try values.decodeIfPresent(String.self, forKey: .message)
        progress = try values.decodeIfPresent(Progress.self, forKey: .progress)
        isLoading = try values.decodeIfPresent(Bool.self, forKey: .isLoading) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(title, forKey: .title)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(text, forKey: .text)
        if !sections.isEmpty { try values.encode(sections, forKey: .sections) }
        try values.encodeIfPresent(emptyText, forKey: .emptyText)
        try values.encodeIfPresent(emptyAction, forKey: .emptyAction)
        try values.encodeIfPresent(form, forKey: .form)
        if !actions.isEmpty { try values.encode(actions, forKey: .actions) }
        try values.encodeIfPresent(alert, forKey: .alert)
        try values.encodeIfPresent(message, forKey: .message)
        try values.encodeIfPresent(progress, forKey: .progress)
        if isLoading { try values.encode(true, forKey: .isLoading) }
    }
}
