import ViperKit

extension Screen {
    /// Descriptions of the duplicate IDs on the screen, with one sentence for each ID. An event cannot distinguish
    /// elements with the same ID.
    var duplicates: [String] {
        Self.duplicates("rows have the ID", sections.flatMap { $0.rows.map(\.id) })
            + Self.duplicates("actions have the ID", actions.map(\.id))
            + Self.duplicates("actions of an alert have the ID", alert?.actions.map(\.id) ?? [])
            + Self.duplicates("fields have the ID", form?.fields.map(\.id) ?? [])
    }

    private static func duplicates(_ kind: String, _ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return Set(ids.filter { !seen.insert($0).inserted }).sorted().map { "two \(kind) \"\($0)\"" }
    }
}
