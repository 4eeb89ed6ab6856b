import ViperKit

/// A part of the screen's content that takes one or more lines. Its lines are made only when they are visible.
enum Item: Equatable {
    /// A line of the screen's text.
    case text(Int)
    case image
    case field(Int)
    case heading(section: Int)
    case columns(section: Int)
    case plot(section: Int)
    case row(Int, Int)
    case more(section: Int)
    case footer(section: Int)
    case empty
    case emptyAction
    case blank

    /// Returns the items of a screen, from top to bottom.
    ///
    /// - Parameters:
    ///   - lines: The number of lines of the screen's text.
    ///   - filter: The rows to show. Nil to show all content.
    static func all(of screen: Screen, lines: Int, _ filter: RowFilter?) -> [Item] {
        if let matches = filter?.matches { return filtered(matches, screen) }
        var items: [Item] = []
        func separate() { if !items.isEmpty, items.last != .blank { items.append(.blank) } }
        if screen.image.map({ !$0.alternative.isEmpty }) == true { items.append(.image) }
        items += (0..<lines).map(Item.text)
        if let form = screen.form, !form.fields.isEmpty {
            separate()
            items += form.fields.indices.map(Item.field)
        }
        for (index, section) in screen.sections.enumerated() {
            if section.title != nil || !section.isList || index == 0 { separate() }
            if section.title != nil || !section.isKnown { items.append(.heading(section: index)) }
            if section.kind == .lineChart, !section.rows.isEmpty { items.append(.plot(section: index)) }
            if section.hasHeads { items.append(.columns(section: index)) }
            items.reserveCapacity(items.count + section.rows.count)
            for row in section.rows.indices { items.append(.row(index, row)) }
            if section.more != nil { items.append(.more(section: index)) }
            if section.footer != nil { items.append(.footer(section: index)) }
        }
        if screen.isEmpty {
            if screen.emptyText != nil {
                separate()
                items.append(.empty)
            }
            if screen.emptyAction != nil { items.append(.emptyAction) }
        }
        return items
    }

    private static func filtered(_ matches: [Item], _ screen: Screen) -> [Item] {
        var (items, last) = ([Item](), -1)
        for match in matches {
            if case .row(let section, _) = match, section != last {
                if !items.isEmpty, screen.sections[section].title != nil { items.append(.blank) }
                if screen.sections[section].title != nil { items.append(.heading(section: section)) }
                if screen.sections[section].hasHeads { items.append(.columns(section: section)) }
                last = section
            }
            items.append(match)
        }
        return items
    }
}

extension Section {
    var isList: Bool { kind == .rows }
    var isKnown: Bool { [.rows, .table, .barChart, .lineChart].contains(kind) }
    /// True if the titles of the columns are shown.
    var hasHeads: Bool { !isList && isKnown && !rows.isEmpty && columns.contains { !$0.title.isEmpty } }

    func isTrailing(_ column: Int) -> Bool {
        columns.indices.contains(column) && columns[column].alignment == .trailing
    }
}

extension Screen {
    /// True if the screen shows that it has no rows.
    var isEmpty: Bool { !isLoading && progress == nil && sections.allSatisfy(\.rows.isEmpty) }
}

extension Action {
    var isEnabled: Bool { disabledReason == nil }
}
