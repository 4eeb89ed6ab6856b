import ViperKit

extension Model {
    /// Reacts to a key in a field. Returns nil if the key has the same meaning as elsewhere on the screen.
    mutating func handle(_ key: Key, in field: Field) -> [Effect]? {
        if !field.kind.isTyped { return handleChoice(key, in: field) }
        var edit = scene.edits[field.id] ?? TextEdit(field.value)
        let before = edit
        switch key {
        case .text(let character): edit.insert(String(character))
        case .paste(let text): edit.insert(Self.text(text, for: field.kind))
        case .backspace: edit.deleteBackward()
        case .delete: edit.deleteForward()
        case .left: edit.move(by: -1)
        case .right: edit.move(by: 1)
        case .home, .control("a"): edit.moveToStart()
        case .end, .control("e"): edit.moveToEnd()
        case .control("u"): edit.deleteToStart()
        case .control("w"): edit.deleteWord()
        case .control("o") where !field.kind.isSecret: return [.edit(field: field.id, text: edit.text)]
        case .up where field.kind == .multiline, .down where field.kind == .multiline:
            guard edit.move(byLines: key == .up ? -1 : 1, width: scene.fieldWidth) else { return nil }
        case .enter: return enter(field, &edit)
        case .escape:
            // The first Escape takes back what was typed, the second leaves the scene.
            guard scene.edits[field.id].map({ !$0.isSent && $0.text != field.value }) == true else { return nil }
            scene.edits[field.id] = nil
            return []
        default: return nil
        }
        scene.edits[field.id] = edit
        return edit.text != before.text ? search() : []
    }

    /// Returns a text from outside without the line breaks that a field of one line cannot have.
    private static func text(_ text: String, for kind: Field.Kind) -> String {
        if kind == .multiline { return text }
        return String(text.map { $0.isNewline ? " " : $0 })
    }

    private mutating func enter(_ field: Field, _ edit: inout TextEdit) -> [Effect] {
        switch field.kind {
        case .multiline:
            edit.insert("\n")
            scene.edits[field.id] = edit
            return []
        case .search: return moving { $0.focusList() }
        default: break
        }
        let isLast = scene.screen.form?.fields.last?.id == field.id
        guard isLast else { return moving { $0.tab(by: 1) } }
        if let action = scene.screen.actions.first(where: { $0.role == .default }) { return press(action) }
        return moving { $0.tab(by: 1) }
    }

    private mutating func handleChoice(_ key: Key, in field: Field) -> [Effect]? {
        key == .enter || key == .text(" ") ? choose(field) : nil
    }

    /// Switches a toggle, or opens the options of a choice.
    mutating func choose(_ field: Field) -> [Effect] {
        switch field.kind {
        case .toggle:
            scene.edits[field.id] = TextEdit(scene.text(of: field) == "true" ? "false" : "true")
            return scene.takeFills().map(Effect.send)
        case .choice, .choices:
            popup = Popup(field, text: scene.text(of: field))
            return []
        default: return []
        }
    }

    /// Takes over the text of a field from the user's editor.
    mutating func take(_ text: String, for field: String) -> [Effect] {
        guard let kind = scene.field(field)?.kind else { return [] }
        scene.edits[field] = TextEdit(Self.text(text, for: kind))
        return scene.takeFills().map(Effect.send)
    }
}

// Popups.
extension Model {
    mutating func handleInPopup(_ key: Key) -> [Effect] {
        switch popup {
        case .help:
            if key == .text("q") { return [.quit] }
            popup = nil
        case .options(var menu):
            if let effects = handle(key, in: &menu) { return effects }
            if popup != nil { popup = .options(menu) }
        case .actions(var menu):
            if let effects = handle(key, in: &menu) { return effects }
            if popup != nil { popup = .actions(menu) }
        case nil: break
        }
        return []
    }

    private mutating func handle(_ key: Key, in menu: inout Popup.Menu) -> [Effect]? {
        switch key {
        case .up, .backTab: menu.move(by: -1)
        case .down, .tab: menu.move(by: 1)
        case .wheel(let lines): menu.move(by: lines)
        case .pageUp: menu.move(by: -10)
        case .pageDown: menu.move(by: 10)
        case .home: menu.move(by: -menu.entries.count)
        case .end: menu.move(by: menu.entries.count)
        case .escape, .left: popup = nil
        case .text(" ") where menu.isMultiple: menu.toggle()
        case .enter, .text(" "): return choose(in: menu)
        case .text(let character):
            guard let index = menu.entries.firstIndex(where: { $0.key == String(character) }) else { return [] }
            menu.index = index
            return choose(in: menu)
        default: break
        }
        return nil
    }

    /// Chooses the entry of the popup that was clicked.
    mutating func choose(popupEntry index: Int) -> [Effect] {
        switch popup {
        case .options(var menu), .actions(var menu):
            guard menu.entries.indices.contains(index) else { return [] }
            menu.index = index
            if !menu.isMultiple { return choose(in: menu) }
            menu.toggle()
            popup = .options(menu)
        case .help, nil: break
        }
        return []
    }

    private mutating func choose(in menu: Popup.Menu) -> [Effect] {
        let isRow = if case .actions = popup { true } else { false }
        popup = nil
        guard menu.entries.indices.contains(menu.index) else { return [] }
        let entry = menu.entries[menu.index]
        if isRow { return isBusy ? [] : act(entry.id, title: entry.title, entry.disabledReason, on: menu.id) }
        let chosen = menu.isMultiple ? menu.entries.filter(\.isChosen).map(\.id).joined(separator: ",") : entry.id
        scene.edits[menu.id] = TextEdit(chosen)
        return scene.takeFills().map(Effect.send)
    }
}
