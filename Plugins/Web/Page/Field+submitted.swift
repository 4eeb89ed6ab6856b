import ViperKit

extension Page {
    /// Returns the digest of a field's value, by which the server tells whether the user has changed it.
    static func digest(of value: String) -> String { value.utf8.digest }

    /// Returns the value that a browser sends for a field that the user has not changed. The value of a secret is never in
    /// a page, so it is empty.
    static func submitted(_ field: Field) -> String {
        switch field.kind {
        case .toggle: return field.value == "true" ? "true" : "false"
        case .choice: return field.options.contains { $0.id == field.value } ? field.value : ""
        case .choices:
            let chosen = Set(field.chosen)
            return field.options.map(\.id).filter(chosen.contains).joined(separator: ",")
        case .multiline: return field.value.replacingHarmfulScalars(keepingLines: true)
        default: return field.kind.isSecret ? "" : field.value.replacingHarmfulScalars(keepingLines: false)
        }
    }
}

extension Field {
    /// True if this version knows the kind. A field of another kind is treated as a secret.
    var isKnown: Bool { !kind.isSecret || kind == .password }

    /// True if a calendar of a browser can show the value. It shows other values as empty.
    var hasCalendar: Bool {
        if value.isEmpty { return true }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], value.utf8.allSatisfy({ $0 == 0x2D || 0x30...0x39 ~= $0 }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year > 0,
            1...12 ~= month
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return 1...days[month - 1] ~= day
    }

    /// The purpose of a secret for password managers.
    var purpose: HTML { kind == .password ? "current-password" : "off" }

    /// The number of visible lines of a text with several lines.
    var rowCount: Int { min(max(value.utf8.count { $0 == 0x0A } + 2, 4), 20) }

    /// The class of a field with an error, after a space.
    var mark: HTML { error == nil ? "" : " wrong" }
}
