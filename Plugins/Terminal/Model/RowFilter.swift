import ViperKit

/// The rows that contain a text, regardless of case.
struct RowFilter: Equatable {
    private(set) var text = ""
    /// True while the user types the text.
    var isTyping = true
    /// The items of the matching rows. Nil if every row matches.
    private(set) var matches: [Item]?

    /// Changes the text. If it only grows, looks at the rows that matched before.
    mutating func change(to new: String, _ screen: Screen) {
        let isNarrower = !text.isEmpty && new.hasPrefix(text)
        let candidates = isNarrower ? matches ?? [] : Self.rows(of: screen)
        text = new
        matches = new.isEmpty ? nil : candidates.filter { Self.contains(new, $0, screen) }
    }

    /// Looks at the rows of another screen.
    mutating func update(_ screen: Screen) {
        matches = text.isEmpty ? nil : Self.rows(of: screen).filter { Self.contains(text, $0, screen) }
    }

    private static func rows(of screen: Screen) -> [Item] {
        screen.sections.indices.flatMap { section in
            screen.sections[section].rows.indices.map { Item.row(section, $0) }
        }
    }

    private static func contains(_ text: String, _ item: Item, _ screen: Screen) -> Bool {
        guard case .row(let section, let index) = item else { return false }
        let row = screen.sections[section].rows[index]
        return contains(text, row.title) || row.detail.map { contains(text, $0) } == true
            || row.cells.contains { contains(text, $0) } || row.text.map { contains(text, $0) } == true
            || row.badge.map { contains(text, $0) } == true
    }

    static func contains(_ text: String, _ other: String) -> Bool {
        let needle = Array(text.utf8)
        let isASCII = needle.allSatisfy { $0 < 0x80 }
        let (needed, searched) = isASCII ? (needle, other) : (Array(text.lowercased().utf8), other.lowercased())
        var copy = searched
        return copy.withUTF8 { haystack in Self.contains(needed, haystack) }
    }

    /// Searches bytes, ignoring the case of ASCII letters.
    private static func contains(_ needle: [UInt8], _ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        if needle.count > haystack.count { return false }
        for start in 0...haystack.count - needle.count {
            var index = 0
            while index < needle.count, lowered(haystack[start + index]) == lowered(needle[index]) { index += 1 }
            if index == needle.count { return true }
        }
        return false
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
