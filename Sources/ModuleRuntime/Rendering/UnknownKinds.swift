import HostSystem
public import ViperKit

// A kind that this version does not know is named, so that no part of a screen silently looks like something else.

extension Section {
    /// The line that is shown instead of the content of an unknown kind, above the rows. Nil for a known kind.
    public var fallback: String? { kind == .rows ? nil : notice(kind.rawValue) }
}

extension Field {
    /// The text that is shown beside a field of an unknown kind, which is treated as a secret. Nil for a known kind.
    public var fallback: String? {
        [.text, .number, .password].contains(kind) ? nil : notice(kind.rawValue)
    }
}

private func notice(_ kind: String) -> String { "(\(printable(kind)): this version cannot show it)" }
