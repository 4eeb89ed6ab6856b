import ViperKit

// The filter of rows.
extension SceneModel {
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
        let screen = screen
        if let text { filter?.change(to: text, screen) } else { filter = nil }
        layOutItems()
        top = Top()
        if let before, find(before, near: nil) { return reveal() }
        (focus, index) = (nil, nil)
        if let first = items.firstIndex(where: { isUsable($0) && !$0.isField }) { focus(item: first) }
    }

    /// The number of rows, and of those that the filter leaves.
    var rowCounts: (all: Int, shown: Int) {
        let all = screen.sections.reduce(0) { $0 + $1.rows.count }
        return (all, filter?.matches?.count ?? all)
    }
}
