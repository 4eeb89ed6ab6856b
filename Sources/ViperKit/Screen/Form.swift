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

    /// Creates a field without an error message.
    public init(id: String, label: String, value: String, kind: Kind) {
        (self.id, self.label, self.value, self.kind) = (id, label, value, kind)
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
        /// A secret. The host reads it without echo, never displays it, and omits it from a screen's JSON form.
        public static var password: Self { Self(rawValue: "password") }

        /// A Boolean value that indicates whether values of this kind are treated as secrets.
        ///
        /// True for passwords and for kinds that this version of ViperKit does not know, because later versions may add
        /// kinds of secrets.
        public var isSecret: Bool { self != .text && self != .number }
    }
}

extension Field: Codable {
    private enum CodingKeys: String, CodingKey { case id, label, value, kind, error }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        label = try values.decode(String.self, forKey: .label)
        value = try values.decodeIfPresent(String.self, forKey: .value) ?? ""
        kind = try values.decode(Kind.self, forKey: .kind)
        error = try values.decodeIfPresent(String.self, forKey: .error)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(label, forKey: .label)
        if !kind.isSecret { try values.encode(value, forKey: .value) }
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(error, forKey: .error)
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
