import Observation
import ViperKit
import ViperRuntime

/// Stays in a window: shows its screen, reads what a person wants, does it, and shows what came of it.
@MainActor
final class Session {
    /// How a session ends.
    enum Ending: Equatable {
        /// The person left, the input was over, or the last scene was closed.
        case left
        /// A signal wanted it.
        case signal(Int32)
        /// The last scene was lost with its host or its process. The person has been told.
        case lost(ViperError)
    }

    private enum Occurrence: Sendable {
        case line(Result<String?, ViperError>)
        /// What was being done is done.
        case settled(ViperError?)
        /// The window may show something else than before.
        case changed
        /// Nothing comes of what is shown any more: its host or its process has gone.
        case lost(ViperError)
        case signal(Int32)
    }

    private let window: Window
    private let display: Display
    private let reader = LineReader()
    private let (occurrences, heard) = AsyncStream<Occurrence>.makeStream()
    private let signals: Signals
    private var isChangeHeard = false
    private var work: Task<Void, Never>?
    private var spinner: Spinner?
    private var dialog: FieldDialog?
    private var isReading = false
    /// A line that came while something was being done.
    private var early: Result<String?, ViperError>?
    private var shown: Screen?

    init(_ window: Window, _ display: Display) {
        (self.window, self.display) = (window, display)
        signals = Signals { [heard] in heard.yield(.signal($0)) }
    }

    /// Begins with some work that opens the first scene, and goes on until the session ends.
    ///
    /// - Throws: What the first work throws, and when nothing can be shown any more.
    func run(_ opening: @escaping @MainActor () async throws(ViperError) -> Void) async throws -> Ending {
        let changes = display.isLive ? Task { [weak self] in await self?.observe() } : nil
        let losses = Task { [weak self] in await self?.observeLosses() }
        defer {
            Echo.restore()
            changes?.cancel()
            losses.cancel()
            work?.cancel()
            signals.beginLeaving()
        }
        begin(opening)
        for await occurrence in occurrences {
            if case .line(let line) = occurrence {
                Echo.restore()
                isReading = false
                if work != nil, !isFarewell(line) {
                    early = line
                    continue
                }
            }
            switch occurrence {
            case .line(.success(nil)): return try await leave(.left)
            case .signal(let number): return try await leave(.signal(number))
            case .line(.success(let line?)): if try take(line) { return .left }
            case .line(.failure(let error)): try goOn(after: error)
            case .changed: try showChange()
            case .lost(let error): if window.removeLost() { try goOn(after: error) }
            case .settled(let error):
                await spinner?.stop()
                (work, spinner) = (nil, nil)
                // What could not be opened in the first place is no session.
                if let error, shown == nil { throw error }
                try goOn(after: error)
            }
            if work == nil, window.top == nil { return window.lastLoss.map(Ending.lost) ?? .left }
        }
        return .left
    }

    /// Whether somebody wants to leave without waiting for what is being done.
    private func isFarewell(_ line: Result<String?, ViperError>) -> Bool {
        guard case .success(let text) = line else { return false }
        return text.map { $0.split(whereSeparator: \.isWhitespace) == ["quit"] } ?? true
    }

    private func leave(_ ending: Ending) async throws -> Ending {
        await spinner?.stop()
        try display.prompt("\n")
        return ending
    }

    private func observe() async {
        for await _ in window.screens() where !isChangeHeard {
            // However fast they come, one waits at a time.
            isChangeHeard = true
            heard.yield(.changed)
        }
    }

    private func observeLosses() async {
        let losses = Observations { [weak window] in window?.lostScene?.loss }
        // What is being done meanwhile fails for the same reason, and tells it.
        for await loss in losses where work == nil { loss.map { _ = heard.yield(.lost($0)) } }
    }

    /// Does some work while signals and changes are still heard.
    private func begin(_ body: @escaping @MainActor () async throws(ViperError) -> Void) {
        if display.isLive {
            spinner = Spinner()
            // A person may have enough of it meanwhile. A script's lines wait until it is done.
            read()
        }
        work = Task { [heard] in
            do throws(ViperError) {
                try await body()
                heard.yield(.settled(nil))
            } catch {
                heard.yield(.settled(error))
            }
        }
    }

    private func begin(_ event: Event) {
        begin { [window] () throws(ViperError) in try await window.handle(event) }
    }

    /// Closes the scene at a place, and those above it.
    private func close(from place: Int) {
        begin { [window] in
            let scenes = window.scenes
            if scenes.indices.contains(place) { await window.close(scenes[place], returning: nil) }
        }
    }

    /// Does what a line says.
    ///
    /// - Returns: Whether the person wants to leave.
    private func take(_ line: String) throws -> Bool {
        if let field = dialog?.field {
            // Nothing typed leaves what is there; so nobody is kept in a field that cannot be satisfied.
            if !line.isEmpty { begin(.fill(field: field.name, text: line)) } else { try askNext() }
            return false
        }
        // What was asked for has gone meanwhile. The line was meant for that, and may be a password.
        if dialog != nil {
            try goOn(after: nil)
            return false
        }
        let command: SessionCommand
        do {
            command = try SessionCommand(line, on: window.screen)
            if display.isLive { try command.checkSecrecy(on: window.screen) }
        } catch {
            try goOn(after: error)
            return false
        }
        switch command {
        case .show: try goOn(after: nil)
        case .act(let event): begin(event)
        case .ask(let fields):
            dialog = FieldDialog(fields, in: window)
            try ask()
        case .back: close(from: window.scenes.count - 1)
        case .home: close(from: 1)
        case .help:
            try display.tell(Help.session)
            if display.format == .json { try showScreen() }
            try listen()
        case .quit: return true
        }
        return false
    }
}

// What a person sees.
extension Session {
    /// Shows what came of the last line, and waits for the next one.
    private func goOn(after error: ViperError?) throws {
        if let error { try display.say(error) }
        if let field = dialog?.field {
            if let wrong = field.error { try display.tell("\(printable(field.label)): \(printable(wrong))\n") }
            if error != nil || field.error != nil { try ask() } else { try askNext() }
            return
        }
        dialog = nil
        // A person still sees the screen above the error; a script gets a screen for each of its lines.
        if error == nil || display.format == .json { try showScreen() }
        try listen()
    }

    private func askNext() throws {
        dialog?.skip()
        try ask()
    }

    /// Asks for the dialog's field, and ends the dialog after the last one.
    private func ask() throws {
        if dialog?.field != nil { return try listen() }
        dialog = nil
        try goOn(after: nil)
    }

    private func listen() throws {
        if window.top == nil { return }
        // Before the prompt: nobody answers it while the terminal still shows what is typed.
        if dialog?.field?.kind == .password { try Echo.turnOff() }
        try display.prompt(dialog?.prompt ?? "> ")
        read()
    }

    /// Waits for the next line, unless somebody does already.
    private func read() {
        if let line = early {
            early = nil
            isReading = true
            heard.yield(.line(line))
        }
        if isReading { return }
        isReading = true
        Task { [reader, heard] in
            do throws(ViperError) {
                heard.yield(.line(.success(try await reader.next())))
            } catch {
                heard.yield(.line(.failure(error)))
            }
        }
    }

    private func showScreen() throws {
        let screen = window.screen
        // The last scene has closed. Its screen is new only if it has changed before.
        if window.top == nil, screen == shown { return }
        try display.show(screen, isFirst: shown == nil)
        shown = screen
    }

    /// Shows a change that came by itself to somebody who is about to type.
    private func showChange() throws {
        isChangeHeard = false
        guard work == nil, dialog == nil, shown != nil, window.screen != shown else { return }
        try showScreen()
        if window.top != nil { try display.prompt("> ") }
    }
}
