import ViperKit

extension Model {
    /// Reacts to a key. Returns what has to happen outside of the model, in order.
    mutating func handle(_ key: Key) -> [Effect] {
        note = nil
        asksForErrors = false
        let before = (scene: scenes.count, focus: scene.focus, top: scene.top)
        defer { measure() }
        let effects = effects(of: key)
        let isMoved = scene.focus != before.focus || scene.top != before.top || !scene.edits.isEmpty
        if scenes.count == before.scene, isMoved { scene.isTouched = true }
        return effects
    }

    private mutating func effects(of key: Key) -> [Effect] {
        if key == .control("l") { return [.redraw] }
        if case .click(let row, let column) = key { return click(row: row, column: column) }
        if popup != nil { return handleInPopup(key) }
        if key == .help {
            popup = .help
            return []
        }
        if scene.filter?.isTyping == true { return handleInFilter(key) }
        if scene.alert != nil { return handleInAlert(key) }
        if let field = scene.field, let effects = handle(key, in: field) { return effects }
        return handleOnScreen(key)
    }

    private mutating func handleOnScreen(_ key: Key) -> [Effect] {
        switch key {
        case .tab, .backTab: return moving { $0.tab(by: key == .tab ? 1 : -1) }
        case .up, .down: return moving { $0.step(by: key == .up ? -1 : 1) }
        case .left, .right: return moveSideways(key == .left ? -1 : 1)
        case .pageUp, .pageDown: return moving { $0.page(by: key == .pageUp ? -1 : 1) }
        case .home, .end: return moving { $0.moveToEdge(isEnd: key == .end) }
        case .wheel(let lines):
            scene.scroll(by: lines)
            return []
        case .escape: return escape()
        case .enter: return choose()
        case .text("q"): return [.quit]
        case .text("?"): popup = .help
        case .text("/"): return filter()
        case .text(" "): return scene.row?.actions.isEmpty == false ? openActions() : choose()
        case .text(let character): return press(key: character)
        default: break
        }
        return []
    }

    private mutating func filter() -> [Effect] {
        if let search = scene.screen.form?.fields.first(where: { $0.kind == .search }) {
            return moving { $0.find(.field(search.id), near: nil) }
        }
        if scene.rowCounts.all > 0 { scene.beginFilter() }
        return []
    }

    private mutating func handleInFilter(_ key: Key) -> [Effect] {
        let text = scene.filter?.text ?? ""
        switch key {
        case .text(let character): scene.setFilter(text + String(character))
        case .paste(let pasted): scene.setFilter(text + pasted.prefix { $0 != "\n" })
        case .backspace: scene.setFilter(String(text.dropLast()))
        case .control("u"): scene.setFilter("")
        case .escape: scene.setFilter(nil)
        case .enter, .tab: scene.endTyping()
        case .up, .down, .pageUp, .pageDown: return handleOnScreen(key)
        default: break
        }
        return []
    }

    private mutating func handleInAlert(_ key: Key) -> [Effect] {
        let actions = scene.actions
        switch key {
        case .tab, .backTab: return moving { $0.tab(by: key == .tab ? 1 : -1) }
        case .right, .down, .left, .up: return moving { $0.moveAction(by: key == .right || key == .down ? 1 : -1) }
        case .enter, .text(" "): return choose()
        case .escape:
            if let cancel = actions.first(where: { $0.role == .cancel }) { return press(cancel) }
            if actions.count == 1 { return press(actions[0]) }
            return escape()
        case .text("q"): return [.quit]
        case .text(let character): return press(key: character)
        default: return []
        }
    }

    /// Leaves the innermost thing: a filter, a text that was not sent, or the scene.
    private mutating func escape() -> [Effect] {
        if scene.filter != nil {
            scene.setFilter(nil)
            return []
        }
        if state.scenes.count > 1 { return [.back] }
        note = Note(text: "q ends the session", isError: false)
        return []
    }

    /// Moves the focus, and sends the text of the field that it leaves.
    mutating func moving(_ move: (inout SceneModel) -> Void) -> [Effect] {
        let before = scene.field?.id
        move(&scene)
        scene.reveal()
        if before == nil || scene.field?.id == before { return [] }
        let fills = scene.takeFills()
        // A search that was sent while it was typed.
        if fills.isEmpty { forgetSentEdits() }
        return fills.map(Effect.send)
    }

    private mutating func moveSideways(_ step: Int) -> [Effect] {
        if case .action = scene.focus { return moving { $0.moveAction(by: step) } }
        if step > 0, scene.row?.actions.isEmpty == false { return openActions() }
        return []
    }

    mutating func openActions() -> [Effect] {
        if let row = scene.row, !row.actions.isEmpty { popup = Popup(row) }
        return []
    }

    /// Presses the action, selects the row, or opens the options that have the focus.
    mutating func choose() -> [Effect] {
        switch scene.focus {
        case .action(let id): return scene.actions.first { $0.id == id }.map { press($0) } ?? []
        case .emptyAction: return scene.screen.emptyAction.map { press($0) } ?? []
        case .more(let section):
            guard scene.screen.sections.indices.contains(section) else { return [] }
            return scene.screen.sections[section].more.map { press($0.action) } ?? []
        case .row(let id):
            guard let row = scene.row else { return [] }
            if row.isSelectable { return send(.select(row: id)) }
            return openActions()
        case .field(let id): return scene.field(id).map { choose($0) } ?? []
        case .popup, .nothing, nil: return []
        }
    }

    /// Presses the action whose key was typed. An action of the focused row comes first.
    private mutating func press(key: Character) -> [Effect] {
        let key = String(key)
        if scene.alert == nil, let row = scene.row, let action = row.actions.first(where: { $0.key == key }) {
            return act(action.id, title: action.title, action.disabledReason, on: row.id)
        }
        let screen = scene.screen
        var others: [Action] = []
        if scene.alert == nil {
            others = screen.sections.compactMap { $0.more?.action }
            if screen.isEmpty, let action = screen.emptyAction { others.append(action) }
        }
        return (scene.actions + others).first { $0.key == key }.map { press($0) } ?? []
    }

    mutating func press(_ action: Action) -> [Effect] {
        if let reason = action.disabledReason {
            note = Note(text: "\(action.title): \(reason)", isError: false)
            return []
        }
        return send(.press(action: action.id))
    }

    mutating func act(_ id: String, title: String, _ disabledReason: String?, on row: String) -> [Effect] {
        if let disabledReason {
            note = Note(text: "\(title): \(disabledReason)", isError: false)
            return []
        }
        return send(.act(row: row, action: id))
    }

    /// Returns the effects of an event, after the texts that the user has typed.
    private mutating func send(_ event: Event) -> [Effect] {
        if isBusy { return [] }
        let fills = scene.takeFills().map(Effect.send)
        if case .press = event { scene.filledSecrets = [] }
        return fills + [.send(event)]
    }

    private mutating func click(row: Int, column: Int) -> [Effect] {
        guard let target = draw().target(row: row, column: column) else {
            if popup != nil { popup = nil }
            return []
        }
        if case .popup(let index) = target { return choose(popupEntry: index) }
        if popup != nil || target == .nothing { return [] }
        var effects = moving { $0.find(target, near: nil) }
        if case .field = target, scene.field?.kind.isTyped == true { return effects }
        effects += choose()
        return effects
    }
}
