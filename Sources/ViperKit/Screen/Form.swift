/// Fields that a person fills in.
public struct Form: Sendable, Equatable, Codable {
    /// The fields, in the order in which they are asked for.
    public var fields: [Field]

    /// A form with these fields.
    public init(fields: [Field]) { self.fields = fields }
}

/// One field of a form.
public struct Field: Sendable, Equatable {
    /// What ``Event/fill(field:text:)`` names it by. Unique in the form.
    public var name: String
    /// What a person reads beside it.
    public var label: String
    /// What is in it now. Of a ``Kind/password`` nothing else is ever shown than whether there is something in it.
    public var value: String
    /// What belongs into it.
    public var kind: Kind
    /// What is wrong with the value, if something is.
    public var error: String?

    /// A field without an error.
    public init(name: String, label: String, value: String, kind: Kind) {
        (self.name, self.label, self.value, self.kind) = (name, label, value, kind)
    }

    /// What belongs into a field. A struct, not an enum, so that kinds can be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The name in the JSON form of a screen.
        public let rawValue: String

        /// A kind with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Any text.
        public static var text: Self { Self(rawValue: "text") }
        /// A number; the field still holds what was typed.
        public static var number: Self { Self(rawValue: "number") }
        /// A secret: read without echo, never shown, and left out of the JSON form of a screen.
        public static var password: Self { Self(rawValue: "password") }
    }
}

extension Field: Codable {
    private enum CodingKeys: String, CodingKey { case name, label, value, kind, error }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        label = try values.decode(String.self, forKey: .label)
        value = try values.decodeIfPresent(String.self, forKey: .value) ?? ""
        kind = try values.decode(Kind.self, forKey: .kind)
        error = try values.decodeIfPresent(String.self, forKey: .error)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(label, forKey: .label)
        if kind != .password { try values.encode(value, forKey: .value) }
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(error, forKey: .error)
    }
}

extension Field: CustomReflectable {
    /// All but what is in a password: `dump`, string interpolation and the failures of tests do not show it.
    public var customMirror: Mirror {
        var children: KeyValuePairs<String, Any> = ["name": name, "label": label, "kind": kind, "error": error as Any]
        if kind != .password {
            children = ["name": name, "label": label, "value": value, "kind": kind, "error": error as Any]
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
