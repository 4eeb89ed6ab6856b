/// Fields that a person fills in.
public struct Form: Sendable, Equatable, Codable {
    /// The fields, in the order in which they are asked for.
    public var fields: [Field]

    /// A form with these fields.
    public init(fields: [Field]) { self.fields = fields }
}

/// One field of a form.
public struct Field: Sendable, Equatable, Codable {
    /// What ``Event/fill(field:text:)`` names it by. Unique in the form.
    public var name: String
    /// What a person reads beside it.
    public var label: String
    /// What is in it now.
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
    }
}
