import ViperKit

// The part of the screen that receives keys.
extension SceneModel {
    /// Returns true if an item can have the focus. If nothing can be done with any row, the rows only scroll.
    func isUsable(_ item: Item) -> Bool {
        switch item {
        case .field, .more, .emptyAction: true
        case .row: areRowsUsable
        default: false
        }
    }

    func target(of item: Item) -> Target? {
        if !isUsable(item) { return nil }
        return switch item {
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

    mutating func focusFirst() {
        (focus, index) = (nil, nil)
        if let alert {
            let action =
                alert.actions.first { $0.role == .default } ?? alert.actions.first { $0.role == .cancel }
                ?? alert.actions.first
            if let action { focus(action: action.id) }
            return
        }
        let isSearchOnly = screen.form?.fields.allSatisfy { $0.kind == .search } ?? true
        let list = items.firstIndex { isUsable($0) && !$0.isField }
        if let first = isSearchOnly ? list : items.firstIndex(where: isUsable) { return focus(item: first) }
        if let action = firstAction {
            focus(action: action.id)
        } else if let field = items.firstIndex(where: isUsable) {
            focus(item: field)
        }
    }

    /// The action that gets the focus on a screen without fields and rows to use. Enter must not remove anything at once.
    private var firstAction: Action? {
        let actions = screen.actions
        return actions.first { $0.role == .default } ?? actions.first { $0.role != .destructive } ?? actions.first
    }

    /// Moves the focus to the usable row nearest to the place of an item that is no longer there.
    mutating func focusNearest(to old: Int) {
        // A screen may become empty, for example while it closes.
        if items.isEmpty { return focusFirst() }
        let near = min(old, items.count - 1)
        let after = items[near...].firstIndex { isUsable($0) && !$0.isField }
        let before = items[...near].lastIndex { isUsable($0) && !$0.isField }
        if let found = after ?? before { focus(item: found) } else { focusFirst() }
    }

    /// Moves the focus to the next usable item. Returns false if there is none.
    mutating func moveFocus(by step: Int) -> Bool {
        var next = (index ?? (step > 0 ? -1 : items.count)) + step
        while items.indices.contains(next) {
            if isUsable(items[next]) {
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
        if let last = lastListIndex, items.indices.contains(last), isUsable(items[last]), !items[last].isField {
            return last
        }
        return items.firstIndex { isUsable($0) && !$0.isField }
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
}

extension Item {
    var isField: Bool { if case .field = self { true } else { false } }
}
