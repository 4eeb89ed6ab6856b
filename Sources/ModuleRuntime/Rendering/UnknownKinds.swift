import HostSystem
public import ViperKit

// A kind that this version does not support is shown by name, so that no part of a screen is mistaken for something
// else.

extension Section {
    /// The line that replaces the content of a section of an unknown kind, above the rows. Nil if the section's kind is
    /// known.
    public var fallback: String? { kind == .rows ? nil : notice(kind.rawValue) }
}

extension Field {
    /// The text that is shown next to a field of an unknown kind. Such a field is treated as a secret. Nil if the
    /// field's kind is known.
    public var fallback: String? {
        [.text, .number, .password].contains(kind) ? nil : notice(kind.rawValue)
    }
}

private func notice(_ kind: String) -> String { "(\(printable(kind)): this version cannot show it)" }
