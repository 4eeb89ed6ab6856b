/// The number of a page's forms, as `SCENE-TURN-VERSION`. A script that sends several forms from one page appends
/// `.COUNT`.
struct PageNumber: Equatable {
    /// The number of the scene that the page shows.
    var scene: Int
    /// The number of forms that the window had executed when the page was made.
    var turn: Int
    /// The number of the window's state that the page shows.
    var version: Int
    /// The number of forms that the script has sent from the page.
    var count = 0

    init(scene: Int, turn: Int, version: Int) { (self.scene, self.turn, self.version) = (scene, turn, version) }

    /// Parses a number. Returns nil if the text has another form.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let words = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int($0) }
        guard words.count == 3, numbers.count == 3, parts.count <= 2 else { return nil }
        (scene, turn, version) = (numbers[0], numbers[1], numbers[2])
        if parts.count == 2 {
            guard let count = Int(parts[1]), count > 0 else { return nil }
            self.count = count
        }
    }

    /// The text in a page's forms.
    var text: String { "\(scene)-\(turn)-\(version)" }
}

/// The forms that a window has executed.
struct FormTurns: Codable, Equatable {
    /// The turn of the next page.
    private(set) var next = 0
    /// The count of the last executed form in the turn before ``next``.
    private var count = 0

    /// The decision on a form.
    enum Receipt {
        /// The form may be executed, and its number is used now.
        case taken
        /// The form is the last one that was executed.
        case repeated
        /// The form is older than one that was executed, or no page has had its number.
        case outdated
    }

    /// Takes a form of a page for execution, unless it was executed before, or is older than one that was.
    mutating func take(_ page: PageNumber) -> Receipt {
        if page.turn == next - 1, page.count == count { return .repeated }
        guard page.turn == next || page.turn == next - 1 && page.count > count else { return .outdated }
        (next, count) = (page.turn + 1, page.count)
        return .taken
    }
}
