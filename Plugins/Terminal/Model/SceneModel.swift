import ViperKit

/// A scene as the terminal shows it: its screen, where the user is in it, and what the user has typed.
struct SceneModel: Equatable {
    /// The number of the scene in its window. Another scene of the same route has another number.
    let id: Int
    /// True if the scene was opened above the one below, which stays visible.
    private let isPresented: Bool
    private(set) var screen: Screen
    private(set) var items: [Item] = []
    /// True if a row can be selected or has actions.
    private(set) var areRowsUsable = false
    /// The lines of the screen's text.
    private(set) var textLines: [String] = []
    /// The widths of the columns of each section.
    private(set) var widths: [[Int]] = []
    /// The largest number of each section's charts.
    private(set) var scales: [Double] = []
    /// The number of columns of the terminal, and of rows for the content.
    private(set) var columns: Int
    var height = 20
    /// The part that receives keys.
    var focus: Target?
    /// The item with the focus. Nil if it is not an item, such as an action.
    var index: Int?
    /// The list item that had the focus last.
    var lastListIndex: Int?
    /// The first visible line: an item, and a line of it.
    var top = Top()
    /// The texts of fields that the user edits.
    var edits: [String: TextEdit] = [:]
    /// The secret fields that were filled since an action was pressed. Their values are unknown if the scene is remote.
    var filledSecrets: Set<String> = []
    var filter: RowFilter?
    /// True after the user has moved or typed. Until then, the focus follows the first usable part.
    var isTouched = false
    /// The focus to restore when the alert disappears.
    private var focusBelowAlert: Target?

    struct Top: Equatable {
        var item = 0
        var line = 0
    }

    init(_ scene: OpenScene, _ screen: Screen? = nil, columns: Int) {
        (id, isPresented) = (scene.id, scene.transition == .present)
        (self.screen, self.columns) = (screen ?? Screen(title: scene.title), columns)
        layOut()
        focusFirst()
    }

    /// Takes over a changed screen. The focus stays on its row, field or action, and its row stays where it is.
    mutating func update(_ new: Screen) {
        if new == screen { return }
        let before = (index: index, focus: focus, alert: alert)
        let wasVisible = isFocusVisible
        let topTarget = items.indices.contains(top.item) ? target(of: items[top.item]) : nil
        screen = new
        filter?.update(screen)
        layOut()
        let fields = Set(screen.form?.fields.map(\.id) ?? [])
        edits = edits.filter { fields.contains($0.key) }
        if alert != before.alert, alert != nil {
            if before.alert == nil { focusBelowAlert = before.focus }
            let isKept = before.alert != nil && before.focus.map { find($0, near: nil) } == true
            if !isKept { focusFirst() }
        } else if alert == nil, before.alert != nil {
            let isFound = focusBelowAlert.map { find($0, near: nil) } == true
            if !isFound { focusFirst() }
        } else if !isTouched {
            focusFirst()
        } else if let focus = before.focus, find(focus, near: before.index) {
            // Rows above may have been added or removed.
            if let old = before.index, let now = index, now != old { keepPlace(from: old, to: now) }
        } else if let old = before.index {
            focusNearest(to: old)
        } else {
            focusFirst()
        }
        if before.index == nil, let topTarget, let now = items.firstIndex(where: { target(of: $0) == topTarget }) {
            top.item = now
        }
        top.item = min(top.item, max(0, items.count - 1))
        fillHeight()
        if wasVisible { reveal() }
    }

    /// Moves the first visible item by as many items as the focus.
    private mutating func keepPlace(from old: Int, to new: Int) {
        top.item = min(max(0, top.item + new - old), max(0, items.count - 1))
    }

    mutating func resize(to columns: Int) {
        if columns == self.columns { return }
        let wasVisible = isFocusVisible
        self.columns = columns
        layOut()
        if let focus { _ = find(focus, near: nil) }
        top.line = 0
        top.item = min(top.item, max(0, items.count - 1))
        fillHeight()
        if wasVisible { reveal() }
    }

    private mutating func layOut() {
        textLines = screen.text.map { CellText.wrapped($0, to: max(1, columns - 4)) } ?? []
        areRowsUsable = screen.sections.contains { section in
            section.rows.contains { $0.isSelectable || !$0.actions.isEmpty }
        }
        layOutItems()
        widths = ColumnWidths.all(of: screen.sections)
        scales = screen.sections.map { section in
            section.rows.reduce(0) { $1.numbers.reduce($0) { $1.isFinite ? max($0, abs($1)) : $0 } }
        }
    }

    /// Lists the items again. The filter leaves the widths as they are.
    mutating func layOutItems() { items = Item.all(of: screen, lines: textLines.count, filter) }

    /// The content of the box above the screen: the screen's alert, or a scene that only asks something.
    var alert: Alert? {
        if let alert = screen.alert { return alert }
        guard isPresented, !screen.actions.isEmpty, screen.sections.isEmpty, screen.form == nil else { return nil }
        return Alert(title: screen.title, message: screen.text, actions: screen.actions)
    }

    /// The actions that the user can choose below the content, or in the alert.
    var actions: [Action] { alert?.actions ?? screen.actions }
}
