import HostSystem
package import ViperKit

// A kind that this version does not support is shown by name, so that no part of a screen is mistaken for something
// else.

extension Section {
    /// The notice to show above the rows if the section's kind is unknown. Nil if the kind is known.
    package var fallback: String? { kind == .rows ? nil : notice(kind.rawValue) }
}

extension Field {
    /// The notice to show next to the field if its kind is unknown. Such a field is treated as a secret. Nil if the
    /// kind is known.
    package var fallback: String? {
        [.text, .number, .password].contains(kind) ? nil : notice(kind.rawValue)
    }
}

private func notice(_ kind: String) -> String { "(\(printable(kind)): this version cannot show it)" }
