import ViperKit

extension SceneModel {
    /// Moves the focus up or down by one, or scrolls if there is nothing to move to.
    mutating func step(by step: Int) {
        if case .action = focus {
            guard let last = items.lastIndex(where: isUsable), alert == nil else { return scroll(by: step) }
            if step < 0 {
                focus(item: last)
                reveal()
            }
            return
        }
        if index != nil, !isFocusVisible {
            // The wheel has scrolled away from the focus.
            let visible = visibleItems
            let seen = step > 0 ? visible.first { isUsable(items[$0]) } : visible.last { isUsable(items[$0]) }
            if let seen { return focus(item: seen) }
            return scroll(by: step)
        }
        if moveFocus(by: step) { return reveal() }
        if step > 0, isAtEnd, let action = actions.first { return focus(action: action.id) }
        scroll(by: step)
    }

    mutating func page(by step: Int) {
        guard var new = index else { return scroll(by: step * max(1, height - 1)) }
        var (lines, last) = (0, new)
        while lines < max(1, height - 1), items.indices.contains(new + step) {
            new += step
            lines += height(of: new)
            if isUsable(items[new]) { last = new }
        }
        focus(item: last)
        reveal()
    }

    mutating func moveToEdge(isEnd: Bool) {
        if let edge = isEnd ? items.lastIndex(where: isUsable) : items.firstIndex(where: isUsable) {
            focus(item: edge)
            return reveal()
        }
        top = isEnd ? Top(item: max(0, items.count - 1)) : Top()
        fillHeight()
    }

    mutating func moveAction(by step: Int) {
        guard case .action(let id) = focus, let place = actions.firstIndex(where: { $0.id == id }) else { return }
        if actions.indices.contains(place + step) { focus(action: actions[place + step].id) }
    }

    /// Moves the content by lines, without moving the focus.
    mutating func scroll(by lines: Int) {
        for _ in 0..<abs(lines) {
            if lines < 0 {
                if top.line > 0 {
                    top.line -= 1
                } else if top.item > 0 {
                    top.item -= 1
                    top.line = max(0, height(of: top.item) - 1)
                }
            } else {
                if isAtEnd { return }
                if top.line + 1 < height(of: top.item) {
                    top.line += 1
                } else {
                    top = Top(item: top.item + 1, line: 0)
                }
            }
        }
    }

    /// True if the last line of the content is visible.
    var isAtEnd: Bool { linesBelowTop <= height }

    /// The number of lines from the first visible one to the end, at most a line more than fit.
    private var linesBelowTop: Int {
        var (lines, item) = (-top.line, top.item)
        while item < items.count, lines <= height {
            lines += height(of: item)
            item += 1
        }
        return min(lines, height + 1)
    }

    /// Scrolls back while there is room below the end.
    mutating func fillHeight() {
        while top != Top(), linesBelowTop < height { scroll(by: -1) }
    }

    /// The items of which a line is visible.
    var visibleItems: Range<Int> {
        var (lines, item) = (-top.line, top.item)
        while item < items.count, lines < height {
            lines += height(of: item)
            item += 1
        }
        return min(top.item, item)..<item
    }

    /// True if the item with the focus is visible as a whole.
    var isFocusVisible: Bool {
        guard let index, items.indices.contains(index) else { return false }
        if index < top.item || index == top.item && top.line > 0 { return false }
        // Each item takes at least a line.
        if index - top.item > height { return false }
        return (top.item...index).reduce(-top.line) { $0 + height(of: $1) } <= height
    }

    /// Scrolls as little as possible to make the item with the focus visible.
    mutating func reveal() {
        guard let index, items.indices.contains(index), !isFocusVisible else { return }
        var (start, lines) = (index, height(of: index))
        if index <= top.item {
            // A heading belongs to the row below it.
            while start > 0, !isUsable(items[start - 1]), lines + height(of: start - 1) <= height {
                start -= 1
                lines += height(of: start)
            }
        } else {
            while start > 0, lines + height(of: start - 1) <= height {
                start -= 1
                lines += height(of: start)
            }
        }
        top = Top(item: start, line: 0)
    }
}
