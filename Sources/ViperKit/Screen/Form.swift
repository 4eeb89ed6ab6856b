/// A form with input fields.
public struct Form: Sendable, Equatable, Codable {
    /// The fields, in display order.
    public var fields: [Field]

    /// Creates a form with the given fields.
    public init(fields: [Field]) { self.fields = fields }
}

/// An input field of a form.
public struct Field: Sendable, Equatable {
    /// The ID that ``Event/fill(field:text:)`` refers to. It must be unique in the form.
    public var id: String
    /// The label beside the field.
    public var label: String
    /// The current value. A secret value is never displayed. The screen shows only whether the field is filled in.
    public var value: String
    /// The kind of input.
    public var kind: Kind
    /// An error message for the value, or nil if there is no error.
    public var error: String?
    /// A sentence that explains the field.
    public var help: String?
    /// The text to show while the field is empty, such as an example.
    public var placeholder: String?
    /// A Boolean value that indicates whether the form needs a value.
    public var isRequired = false
    /// The options of a choice.
    public var options: [Option] = []

    /// The IDs of the chosen options of a choice, in the order of the value.
    public var chosen: [String] { value.split(separator: ",").map(String.init) }

    /// Creates a field without an error message.
    public init(id: String, label: String, value: String, kind: Kind) {
        (self.id, self.label, self.value, self.kind) = (id, label, value, kind)
    }

    /// An option of a choice.
    public struct Option: Sendable, Equatable, Codable {
        /// The text that the field's value contains if the option is chosen. It must be unique in the field, and must not
        /// contain a comma.
        public var id: String
        /// The display text.
        public var title: String

        /// Creates an option.
        public init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }

    /// The kind of input that a field accepts. This type is a struct so that kinds can be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name in a screen's JSON form.
        public let rawValue: String

        /// Creates a kind with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Any text.
        public static var text: Self { Self(rawValue: "text") }
        /// A number. The field's value is the text that the user entered.
        public static var number: Self { Self(rawValue: "number") }
        /// Text with several lines, separated by `\n`.
        public static var multiline: Self { Self(rawValue: "multiline") }
        /// A day. The field's value is the text that the user entered. Front ends with a calendar enter `2026-11-25`.
        public static var date: Self { Self(rawValue: "date") }
        /// A switch. The field's value is `true` or `false`.
        public static var toggle: Self { Self(rawValue: "toggle") }
        /// One of the field's options. The field's value is the option's ID, or empty.
        public static var choice: Self { Self(rawValue: "choice") }
        /// Any number of the field's options. The field's value is their IDs, separated by commas.
        public static var choices: Self { Self(rawValue: "choices") }
        /// Text to search for. A front end may send ``Event/fill(field:text:)`` while the user types.
        public static var search: Self { Self(rawValue: "search") }
        /// A secret. The host reads it without echo, never displays it, and omits it from a screen's JSON form.
        public static var password: Self { Self(rawValue: "password") }

        /// A Boolean value that indicates whether values of this kind are treated as secrets.
        ///
        /// True for passwords and for kinds that this version of ViperKit does not know, because later versions may add
        /// kinds of secrets.
        public var isSecret: Bool { !Self.plain.contains(self) }

        private static let plain: Set<Self> = [
            .text, .number, .multiline, .date, .toggle, .choice, .choices, .search,
        ]
    }
}

extension Field: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, label, value, kind, error, help, placeholder, options
        case isRequired = "required"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        label = try values.decode(String.self, forKey: .label)
        value = try values.decodeIfPresent(String.self, forKey: .value) ?? ""
        kind = try values.decode(Kind.self, forKey: .kind)
        error = try values.decodeIfPresent(String.self, forKey: .error)
        help = try values.decodeIfPresent(String.self, forKey: .help)
        placeholder = try values.decodeIfPresent(String.self, forKey: .placeholder)
        isRequired = try values.decodeIfPresent(Bool.self, forKey: .isRequired) ?? false
        options = try values.decodeIfPresent([Option].self, forKey: .options) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(label, forKey: .label)
        if !kind.isSecret { try values.encode(value, forKey: .value) }
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(error, forKey: .error)
        try values.encodeIfPresent(help, forKey: .help)
        try values.encodeIfPresent(placeholder, forKey: .placeholder)
        if isRequired { try values.encode(true, forKey: .isRequired) }
        if !options.isEmpty { try values.encode(options, forKey: .options) }
    }
}

extension Field: CustomReflectable {
    /// A mirror that omits the value if it is a secret, so that `dump`, string interpolation, and test failures do not
    /// show secrets.
    public var customMirror: Mirror {
        var children: KeyValuePairs<String, Any> = ["id": id, "label": label, "kind": kind, "error": error as Any]
        if !kind.isSecret {
            children = ["id": id, "label": label, "value": value, "kind": kind, "error": error as Any]
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
