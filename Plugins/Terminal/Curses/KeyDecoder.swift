private import CNcurses

/// Turns the characters and keys of ncurses into keys of the model.
struct KeyDecoder {
    /// The text that is being pasted. Nil between pastes.
    private var pasted: String?

    /// The maximum number of characters of a pasted text.
    private static let longestPaste = 1 << 20

    mutating func character(_ value: UInt32) -> [Key] {
        guard let scalar = Unicode.Scalar(value) else { return [] }
        if pasted != nil {
            let character: Character = scalar == "\r" ? "\n" : Character(scalar)
            if pasted?.utf8.count ?? 0 < Self.longestPaste { pasted?.append(character) }
            return []
        }
        switch value {
        case 8, 0x7F: return [.backspace]
        case 9: return [.tab]
        case 10, 13: return [.enter]
        case 27: return [.escape]
        case 1...26: return [.control(Character(Unicode.Scalar(UInt8(value) + 96)))]
        case ..<32: return []
        default: return [.text(Character(scalar))]
        }
    }

    mutating func key(_ code: Int) -> [Key] {
        if code == cncurses_paste_begin {
            pasted = ""
            return []
        }
        if code == cncurses_paste_end {
            defer { pasted = nil }
            return pasted.map { [.paste($0)] } ?? []
        }
        if pasted != nil { return [] }
        return Self.keys[code].map { [$0] } ?? []
    }

    private static let keys: [Int: Key] = [
        cncurses_up: .up, cncurses_down: .down, cncurses_left: .left,
        cncurses_right: .right, cncurses_home: .home,
        cncurses_end_key: .end, cncurses_page_up: .pageUp,
        cncurses_page_down: .pageDown, cncurses_backspace: .backspace,
        cncurses_delete: .delete, cncurses_back_tab: .backTab,
        cncurses_enter: .enter, cncurses_f1: .help,
    ]
}
