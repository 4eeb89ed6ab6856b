import ViperKit

/// The thread that draws: it waits for keys and messages, lets the model react, and shows the next frame.
final class Loop {
    private let curses: Curses
    private var model: Model
    private var decoder = KeyDecoder()
    private let terminal: any LentTerminal
    private let inbox: Inbox
    private let perform: (Effect) -> Void
    /// True while another program uses the terminal.
    private var isAway = false
    private var isOver = false
    /// True when the window is closed. While another program uses the terminal, the session waits for its end.
    private var isClosed = false
    private var emptyReads = 0
    private static let emptyReadLimit = 100

    /// The time between two frames of the spinner, in milliseconds.
    private static let frameTime: Int32 = 100

    /// Draws until the session ends. The terminal then has its earlier modes again.
    static func run(
        _ terminal: any LentTerminal, _ inbox: Inbox, _ first: WindowState, perform: @escaping (Effect) -> Void
    ) throws(ViperError) {
        let curses = try Curses(input: terminal.input, output: terminal.output)
        let model = Model(first, curses.size, isColoured: Curses.isColoured)
        let loop = Loop(curses: curses, model: model, terminal: terminal, inbox: inbox, perform: perform)
        loop.run()
        loop.curses.end()
    }

    private init(
        curses: Curses, model: Model, terminal: any LentTerminal, inbox: Inbox,
        perform: @escaping (Effect) -> Void
    ) {
        (self.curses, self.model, self.terminal, self.inbox, self.perform) = (curses, model, terminal, inbox, perform)
    }

    private func run() {
        while !isOver, isAway || !isClosed {
            if !isAway { curses.show(model.draw(), isColoured: model.isColoured) }
            let isTurning = model.isWorking && !isAway
            model.turn = isTurning ? model.turn + 1 : 0
            let hasInput = inbox.wait(
                input: isAway ? -1 : terminal.input, milliseconds: isTurning ? Self.frameTime : -1)
            for message in inbox.take() { handle(message) }
            if isAway { continue }
            guard hasInput else { continue }
            guard let keys = curses.keys(&decoder) else {
                // A closed terminal is always ready, and reads nothing.
                emptyReads += 1
                if emptyReads > Self.emptyReadLimit { isOver = true }
                continue
            }
            emptyReads = 0
            for key in keys where !isOver && !isAway { handle(key) }
        }
    }

    private func handle(_ key: Key) {
        for effect in model.handle(key) { start(effect) }
    }

    private func start(_ effect: Effect) {
        switch effect {
        case .quit: isOver = true
        case .redraw: curses.comeBack()
        case .edit:
            curses.leave()
            isAway = true
            perform(effect)
        case .send, .back:
            model.begin(effect)
            perform(effect)
        }
    }

    private func handle(_ message: Inbox.Message) {
        switch message {
        case .state(let state):
            model.update(state)
            isClosed = state.isClosed
        case .notice(.log(let line)): model.note = Model.Note(text: line, isError: false)
        case .notice(.resized): if !isAway { model.resize(to: curses.size) }
        case .notice(.resumed): if !isAway { comeBack() }
        case .notice: break
        case .done(let effect, let error): for next in model.end(effect, error) { start(next) }
        case .edited(let field, let result):
            isAway = false
            comeBack()
            switch result {
            case .success(let text): for effect in model.take(text, for: field) { start(effect) }
            case .failure(let error): model.note = Model.Note(text: error.summary, isError: true)
            }
        case .end: isOver = true
        }
    }

    private func comeBack() {
        curses.comeBack()
        model.resize(to: curses.size)
    }
}
