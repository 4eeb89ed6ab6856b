import ViperKit

/// A scene as the terminal shows it: its screen, where the user is in it, and what the user has typed.
struct SceneModel: Equatable {
    let route: String
    /// True if the scene was opened above the one below, which stays visible.
    private let isPresented: Bool
    private(set) var screen: Screen
    private(set) var items: [Item] = []
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
    private(set) var focus: Target?
    /// The item with the focus. Nil if it is not an item, such as an action.
    private(set) var index: Int?
    /// The list item that had the focus last.
    private var lastListIndex: Int?
    /// The first visible line: an item, and a line of it.
    var top = Top()
    /// The texts of fields that the user edits.
    var edits: [String: TextEdit] = [:]
    /// The secret fields that were filled since an action was pressed. Their values are unknown if the scene is remote.
    var filledSecrets: Set<String> = []
    private(set) var filter: RowFilter?
    /// True after the user has moved or typed. Until then, the focus is on the first part that is worth it.
    var isTouched = false
    /// The focus to return to when the alert is gone.
    private var focusBelowAlert: Target?

    struct Top: Equatable {
        var item = 0
        var line = 0
    }

    init(_ scene: OpenScene, _ screen: Screen? = nil, columns: Int) {
        (route, isPresented) = (scene.route, scene.transition == .present)
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
            // Rows above may be new or gone.
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
        items = Item.all(of: screen, lines: textLines.count, filter)
        widths = ColumnWidths.all(of: screen.sections)
        scales = screen.sections.map { section in
            section.rows.reduce(0) { $1.numbers.reduce($0) { $1.isFinite ? max($0, abs($1)) : $0 } }
        }
    }

    // MARK: Focus

    /// What is shown as a box: the screen's alert, or a scene that only asks something.
    var alert: Alert? {
        if let alert = screen.alert { return alert }
        guard isPresented, !screen.actions.isEmpty, screen.sections.isEmpty, screen.form == nil else { return nil }
        return Alert(title: screen.title, message: screen.text, actions: screen.actions)
    }

    /// The actions that the user can choose below the content, or in the alert.
    var actions: [Action] { alert?.actions ?? screen.actions }

    func target(of item: Item) -> Target? {
        switch item {
        case .field(let index): screen.form.map { .field($0.fields[index].id) }
        case .row(let section, let row): .row(screen.sections[section].rows[row].id)
        case .more(let section): .more(section: section)
        case .emptyAction: .emptyAction
        default: nil
        }
    }

    mutating func focus(item new: Int) {
        index = new
        focus = target(of: items[new])
        if !items[new].isField { lastListIndex = new }
    }

    mutating func focus(action: String) { (focus, index) = (.action(action), nil) }

    /// Moves the focus to a target. Returns false if the screen does not have it.
    @discardableResult
    mutating func find(_ target: Target, near hint: Int?) -> Bool {
        if case .action(let id) = target {
            guard actions.contains(where: { $0.id == id }) else { return false }
            focus(action: id)
            return true
        }
        if alert != nil { return false }
        if let hint, items.indices.contains(hint), self.target(of: items[hint]) == target {
            focus(item: hint)
            return true
        }
        guard let found = items.firstIndex(where: { self.target(of: $0) == target }) else { return false }
        focus(item: found)
        return true
    }

    private mutating func focusFirst() {
        (focus, index) = (nil, nil)
        if let alert {
            let action =
                alert.actions.first { $0.role == .default } ?? alert.actions.first { $0.role == .cancel }
                ?? alert.actions.first
            if let action { focus(action: action.id) }
            return
        }
        let isSearchOnly = screen.form?.fields.allSatisfy { $0.kind == .search } ?? true
        let list = items.firstIndex { $0.isUsable && !$0.isField }
        if let first = isSearchOnly ? list : items.firstIndex(where: \.isUsable) { return focus(item: first) }
        if let action = screen.actions.first(where: { $0.role == .default }) ?? screen.actions.first {
            focus(action: action.id)
        } else if let field = items.firstIndex(where: \.isUsable) {
            focus(item: field)
        }
    }

    private mutating func focusNearest(to old: Int) {
        let near = items.indices.contains(old) ? old : items.count - 1
        let after = items[min(near, items.count)...].firstIndex { $0.isUsable && !$0.isField }
        let before = items.isEmpty ? nil : items[...max(0, near)].lastIndex { $0.isUsable && !$0.isField }
        if near >= 0, let found = after ?? before { focus(item: found) } else { focusFirst() }
    }

    /// Moves the focus to the next usable item. Returns false if there is none.
    mutating func moveFocus(by step: Int) -> Bool {
        var next = (index ?? (step > 0 ? -1 : items.count)) + step
        while items.indices.contains(next) {
            if items[next].isUsable {
                focus(item: next)
                return true
            }
            next += step
        }
        return false
    }

    /// Moves the focus to the next field, to the list, or to the next action.
    mutating func tab(by step: Int) {
        var stops: [Target] = alert == nil ? screen.form?.fields.map { .field($0.id) } ?? [] : []
        let list = alert == nil ? listIndex : nil
        let listTarget = list.flatMap { target(of: items[$0]) }
        if let listTarget { stops.append(listTarget) }
        stops += actions.map { .action($0.id) }
        if stops.isEmpty { return }
        var current = stops.firstIndex { $0 == focus }
        if current == nil, let listTarget, let index, !items[index].isField {
            current = stops.firstIndex(of: listTarget)
        }
        let next = ((current ?? (step > 0 ? -1 : 0)) + step + stops.count) % stops.count
        find(stops[next], near: stops[next] == listTarget ? list : nil)
    }

    /// The list item that had the focus last, or the first one.
    private var listIndex: Int? {
        if let index, !items[index].isField { return index }
        if let last = lastListIndex, items.indices.contains(last), items[last].isUsable, !items[last].isField {
            return last
        }
        return items.firstIndex { $0.isUsable && !$0.isField }
    }

    /// Moves the focus to the first field with an error. Returns false if there is none.
    mutating func focusError() -> Bool {
        guard let wrong = screen.form?.fields.first(where: { $0.error != nil }), find(.field(wrong.id), near: nil)
        else {
            return false
        }
        reveal()
        return true
    }

    mutating func focusList() { if let listIndex { focus(item: listIndex) } }

    // MARK: Filter

    mutating func beginFilter() {
        filter = filter ?? RowFilter()
        filter?.isTyping = true
    }

    mutating func endTyping() {
        filter?.isTyping = false
        if filter?.text.isEmpty == true { filter = nil }
    }

    mutating func setFilter(_ text: String?) {
        let before = focus
        if let text { filter?.change(to: text, screen) } else { filter = nil }
        items = Item.all(of: screen, lines: textLines.count, filter)
        top = Top()
        if let before, find(before, near: nil) { return reveal() }
        (focus, index) = (nil, nil)
        if let first = items.firstIndex(where: { $0.isUsable && !$0.isField }) { focus(item: first) }
    }

    /// The number of rows, and of those that the filter leaves.
    var rowCounts: (all: Int, shown: Int) {
        let all = screen.sections.reduce(0) { $0 + $1.rows.count }
        return (all, filter?.matches?.count ?? all)
    }

    // MARK: Fields

    func field(_ id: String) -> Field? { screen.form?.fields.first { $0.id == id } }

    /// The field with the focus.
    var field: Field? {
        guard case .field(let id) = focus, alert == nil else { return nil }
        return field(id)
    }

    /// The row with the focus.
    var row: Row? {
        guard let index, alert == nil, case .row(let section, let row) = items[index] else { return nil }
        return screen.sections[section].rows[row]
    }

    /// The text of a field: the user's, or the module's.
    func text(of field: Field) -> String { edits[field.id]?.text ?? field.value }

    /// Returns events for the fields whose text the module does not know yet, in the form's order.
    mutating func takeFills() -> [Event] {
        (screen.form?.fields ?? []).compactMap { field in
            guard let edit = edits[field.id], !edit.isSent, edit.text != field.value else { return nil }
            edits[field.id]?.isSent = true
            if field.kind.isSecret { filledSecrets.insert(field.id) }
            return .fill(field: field.id, text: edit.text)
        }
    }

    /// Forgets the texts that the module has received. From now on, the fields show what the module has made of them.
    ///
    /// - Parameter keepsSearch: True to keep the text of a search field that the user is typing.
    mutating func forgetSentEdits(keepsSearch: Bool) {
        let typing = keepsSearch ? field.flatMap { $0.kind == .search ? $0.id : nil } : nil
        edits = edits.filter { id, edit in id == typing || !edit.isSent }
    }
}

extension Item {
    /// True if the item can have the focus.
    var isUsable: Bool {
        switch self {
        case .field, .row, .more, .emptyAction: true
        default: false
        }
    }

    var isField: Bool { if case .field = self { true } else { false } }
}

extension Field.Kind {
    /// True if the user types the text of such a field, instead of choosing it.
    var isTyped: Bool { ![.toggle, .choice, .choices].contains(self) }
}
