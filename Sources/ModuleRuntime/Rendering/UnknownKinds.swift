import HostSystem
package import ViperKit

// A kind that this version does not support is shown by name, so that no part of a screen is mistaken for something
// else.

extension Section {
    /// The notice to show above the rows if the section's kind is unknown. Nil if the kind is known.
    package var fallback: String? {
        [.rows, .table, .barChart, .lineChart].contains(kind) ? nil : notice(kind.rawValue)
    }
}

extension Field {
    /// The notice to show next to the field if its kind is unknown. Such a field is treated as a secret. Nil if the
    /// kind is known.
    package var fallback: String? { Self.kinds.contains(kind) ? nil : notice(kind.rawValue) }

    /// The kinds that this version shows. A later ViperKit may know more.
    private static let kinds: Set<Kind> = [
        .text, .number, .multiline, .date, .toggle, .choice, .choices, .search, .password,
    ]
}

private func notice(_ kind: String) -> String { "(\(printable(kind)): this version cannot show it)" }
