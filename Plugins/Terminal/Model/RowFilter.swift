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
        let needle = Needle(new)
        matches = new.isEmpty ? nil : candidates.filter { needle.isFound(in: $0, screen) }
    }

    /// Looks at the rows of another screen.
    mutating func update(_ screen: Screen) {
        let needle = Needle(text)
        matches = text.isEmpty ? nil : Self.rows(of: screen).filter { needle.isFound(in: $0, screen) }
    }

    private static func rows(of screen: Screen) -> [Item] {
        screen.sections.indices.flatMap { section in
            screen.sections[section].rows.indices.map { Item.row(section, $0) }
        }
    }
}

/// A text to search for, regardless of case.
struct Needle {
    private let bytes: [UInt8]
    private let isASCII: Bool

    init(_ text: String) {
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        bytes = Array((isASCII ? text : text.lowercased()).utf8)
    }

    /// Returns true if a text of a row contains the text.
    func isFound(in item: Item, _ screen: Screen) -> Bool {
        guard case .row(let section, let index) = item else { return false }
        let row = screen.sections[section].rows[index]
        return isFound(in: row.title) || row.detail.map(isFound) == true || row.cells.contains(where: isFound)
            || row.text.map(isFound) == true || row.badge.map(isFound) == true
    }

    func isFound(in text: String) -> Bool {
        // Searching ASCII ignores the case of each byte, which is faster than a changed copy of the text.
        var searched = isASCII ? text : text.lowercased()
        return searched.withUTF8 { isFound(in: $0) }
    }

    private func isFound(in haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.count > haystack.count { return false }
        for start in 0...haystack.count - bytes.count {
            var index = 0
            while index < bytes.count, lowered(haystack[start + index]) == lowered(bytes[index]) { index += 1 }
            if index == bytes.count { return true }
        }
        return false
    }

    private func lowered(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
