import ViperKit

/// The content of the terminal, and its reactions to keys. It is a plain value: it neither draws nor waits.
struct Model {
    struct Size: Equatable {
        var rows: Int
        var columns: Int
    }

    /// A line that is shown at the bottom until the next key.
    struct Note: Equatable {
        var text: String
        var isError: Bool
    }

    private(set) var state: WindowState
    /// The open scenes, from bottom to top. A closed window keeps its last scene.
    var scenes: [SceneModel]
    var popup: Popup?
    var note: Note?
    private(set) var size: Size
    /// The number of effects that have not ended.
    private(set) var running = 0
    private var runningFills = 0
    /// The numbers of the open scenes when an action was pressed or a row was selected. Nil if no event is running.
    private var pressedIn: [Int]?
    /// True after an action was pressed, until the user types the next key.
    var asksForErrors = false
    /// The frame of the spinner.
    var turn = 0
    /// True if colours are used.
    let isColoured: Bool

    init(_ state: WindowState, _ size: Size, isColoured: Bool = true) {
        (self.state, self.size, self.isColoured) = (state, size, isColoured)
        let top = state.scenes.last ?? OpenScene(route: "", title: "", transition: .push)
        scenes = state.scenes.dropLast().map { SceneModel($0, columns: size.columns) }
        scenes.append(SceneModel(top, state.screen, columns: size.columns))
        measure()
    }

    var scene: SceneModel {
        get { scenes[scenes.count - 1] }
        set { scenes[scenes.count - 1] = newValue }
    }

    /// True while the spinner turns.
    var isWorking: Bool { running > 0 || scene.screen.isLoading || scene.screen.progress != nil }

    /// Takes over a changed state. The typed text, the focus and the scroll position stay.
    mutating func update(_ new: WindowState) {
        let old = state
        state = new
        if let error = new.error, error != old.error { note = Note(text: error.summary, isError: true) }
        if new.isClosed { return scene.update(new.screen) }
        let common = zip(scenes, new.scenes).prefix { $0.id == $1.id }.count
        let isSame = common == scenes.count && common == new.scenes.count
        if !isSame {
            popup = nil
            scenes.removeLast(scenes.count - common)
            for scene in new.scenes.dropFirst(common) {
                let isTop = scenes.count == new.scenes.count - 1
                scenes.append(SceneModel(scene, isTop ? new.screen : nil, columns: size.columns))
            }
        }
        scene.update(new.screen)
        focusError()
        closeUselessPopup()
        measure()
    }

    private mutating func closeUselessPopup() {
        switch popup {
        case .options(let menu): if scene.field(menu.id) == nil { popup = nil }
        case .actions(let menu): if scene.row?.id != menu.id { popup = nil }
        case .help, nil: break
        }
        if scene.alert != nil, popup != .help { popup = nil }
    }

    mutating func resize(to size: Size) {
        self.size = size
        for index in scenes.indices { scenes[index].resize(to: size.columns) }
        measure()
    }

    /// Notes that an effect has begun.
    mutating func begin(_ effect: Effect) {
        running += 1
        guard case .send(let event) = effect else { return }
        if event.isFill { runningFills += 1 } else { pressedIn = state.scenes.map(\.id) }
    }

    /// Notes that an effect has ended, with an error if it failed. Returns what has to happen next.
    @discardableResult
    mutating func end(_ effect: Effect, _ error: ViperError?) -> [Effect] {
        running -= 1
        if case .send(let event) = effect {
            if event.isFill {
                runningFills -= 1
            } else {
                asksForErrors = isBusy
                pressedIn = nil
            }
            if runningFills == 0 { scene.forgetSentEdits(keepsSearch: event.isFill) }
        }
        if let error { note = Note(text: error.summary, isError: true) }
        focusError()
        // The text typed in the meantime.
        return runningFills == 0 ? search() : []
    }

    /// Sends the text of a search field while the user types, unless an earlier text is still being sent.
    mutating func search() -> [Effect] {
        guard scene.field?.kind == .search, runningFills == 0 else { return [] }
        return scene.takeFills().map(Effect.send)
    }

    /// Moves the focus to a field that the module has rejected. Its error can arrive before or after the end of the effect.
    private mutating func focusError() {
        if asksForErrors, scene.focusError() { asksForErrors = false }
    }

    mutating func forgetSentEdits() { if runningFills == 0 { scene.forgetSentEdits(keepsSearch: false) } }

    /// True while the module handles what the user pressed or selected, and shows the same scene as before.
    var isBusy: Bool { pressedIn == state.scenes.map(\.id) }
}

extension Event {
    var isFill: Bool { if case .fill = self { true } else { false } }
}
