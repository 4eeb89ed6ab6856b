import HostSystem
import ModuleRuntime
import Observation
import ViperKit

/// An interactive session in a window. The session shows the screen, reads a command, executes it, and shows the
/// result.
@MainActor
final class Session {
    enum Ending: Equatable {
        /// The session ended because the user quit, the input ended, or the last scene was closed.
        case left
        case signal(Int32)
        /// The session ended because the host or process of its last scene ended. The associated error has already been
        /// shown.
        case lost(ViperError)
    }

    private enum Occurrence: Sendable {
        case line(Result<String?, ViperError>)
        /// The current work has finished. The associated value is the error if the work failed.
        case settled(ViperError?)
        /// The visible scene was lost because its host or process ended. The associated value is the error.
        case lost(ViperError)
        case signal(Int32)
    }

    private let window: Window
    private let display: Display
    private let reader = LineReader()
    private let (occurrences, heard) = AsyncStream<Occurrence>.makeStream()
    private var work: Task<Void, Never>?
    private var spinner: Spinner?
    private var dialog: FieldDialog?
    private var isReading = false
    /// A line that was read while work was running and that has not been executed yet.
    private var early: Result<String?, ViperError>?
    /// The screen that was shown last, to which the numbers in commands refer. A later change is shown with the next
    /// command, because printing it would displace what the user is typing.
    private var shown: Screen?

    /// Creates a session, which handles signals from now on.
    ///
    /// - Parameters:
    ///   - onSignal: A closure to call with the first signal. It is called even if a module blocks the main actor.
    ///   - atOnce: A closure to call before a second signal ends the process.
    /// - Throws: ``ViperError/Code/resourceMissing`` if the thread that handles signals cannot be started.
    init(
        _ window: Window, _ display: Display, onSignal: @escaping @Sendable () -> Void,
        atOnce: @escaping @Sendable () -> Void
    ) throws(ViperError) {
        (self.window, self.display) = (window, display)
        try Signals.handle(atOnce: atOnce) { [heard] in
            onSignal()
            heard.yield(.signal($0))
        }
    }

    /// Runs the session until it ends. The session starts with work that opens the first scene.
    ///
    /// - Throws: The error that the opening work throws, or an error that occurs when writing output.
    func run(_ opening: @escaping @MainActor () async throws(ViperError) -> Void) async throws -> Ending {
        let losses = Task { [weak self] in await self?.observeLosses() }
        defer {
            Echo.restore()
            losses.cancel()
            work?.cancel()
            Signals.beginLeaving()
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
            case .lost(let error): if window.removeLost() { try goOn(after: error) }
            case .settled(let error):
                await spinner?.stop()
                (work, spinner) = (nil, nil)
                // If the first scene cannot be opened, there is no session.
                if let error, shown == nil { throw error }
                try goOn(after: error)
            }
            if work == nil, window.top == nil { return window.lastLoss.map(Ending.lost) ?? .left }
        }
        return .left
    }

    /// Returns true if a line ends the session even while work is running: the command `quit`, or the end of the input.
    private func isFarewell(_ line: Result<String?, ViperError>) -> Bool {
        guard case .success(let text) = line else { return false }
        return text.map { $0.split(whereSeparator: \.isWhitespace) == ["quit"] } ?? true
    }

    private func leave(_ ending: Ending) async throws -> Ending {
        await spinner?.stop()
        try display.prompt("\n")
        return ending
    }

    private func observeLosses() async {
        let losses = Observations { [weak window] in window?.lostScene?.terminationError }
        // If work is running, it fails with the same error and reports it.
        for await loss in losses where work == nil { loss.map { _ = heard.yield(.lost($0)) } }
    }

    /// Starts work. The session handles signals and changes while the work runs.
    private func begin(_ body: @escaping @MainActor () async throws(ViperError) -> Void) {
        if display.isLive {
            spinner = Spinner()
            // A user may quit while the work runs. A script's next line is read after the work ends.
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

    private func close(from place: Int) {
        begin { [window] in
            let scenes = window.scenes
            if scenes.indices.contains(place) { await window.close(scenes[place], returning: nil) }
        }
    }

    /// Executes a line. Returns true if the line ends the session.
    private func take(_ line: String) throws -> Bool {
        if let field = dialog?.field {
            // An empty line keeps the value, so that the user can always skip a field.
            if !line.isEmpty { begin(.fill(field: field.id, text: line)) } else { try askNext() }
            return false
        }
        // The dialog's scene is no longer the top scene. Discard the line because it may be a password.
        if dialog != nil {
            try goOn(after: nil)
            return false
        }
        let command: SessionCommand
        do {
            command = try SessionCommand(line, on: shown ?? window.screen)
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
            try display.tell(SessionCommand.helpText + "\n")
            if display.format == .json { try showScreen() }
            try listen()
        case .quit: return true
        }
        return false
    }
}

extension Session {
    /// Shows the result of the last line, and waits for the next line.
    private func goOn(after error: ViperError?) throws {
        if let error { try display.say(error) }
        if let field = dialog?.field {
            if let wrong = field.error { try display.tell("\(printable(field.label)): \(printable(wrong))\n") }
            if error != nil || field.error != nil { try ask() } else { try askNext() }
            return
        }
        dialog = nil
        // A user still sees the screen above the error, unless it has changed. A script receives one screen for each line.
        let isNew = display.isLive && shown != nil && window.screen != shown
        if error == nil || display.format == .json || isNew { try showScreen() }
        try listen()
    }

    private func askNext() throws {
        dialog?.skip()
        try ask()
    }

    /// Asks for the dialog's current field. After the last field, ends the dialog.
    private func ask() throws {
        if dialog?.field != nil { return try listen() }
        dialog = nil
        try goOn(after: nil)
    }

    private func listen() throws {
        if window.top == nil { return }
        // Turn off echo before the prompt, so that no character of the secret is shown.
        if dialog?.field?.kind.isSecret == true { try Echo.turnOff() }
        try display.prompt(dialog?.prompt ?? "> ")
        read()
    }

    /// Reads the next line, unless a read is already pending.
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
        // After the last scene has closed, show the screen only if it has changed.
        if window.top == nil, screen == shown { return }
        try display.show(screen, isFirst: shown == nil)
        shown = screen
    }
}
