import HostSystem
import ModuleRuntime
import ViperKit

/// A session in which a front end draws a window on the terminal.
@MainActor
final class ScreenSession {
    private enum Occurrence: Sendable {
        /// The task ends when the first scene has loaded.
        case opened(Result<(any OpenWindow, Task<ViperError?, Never>), ViperError>)
        /// The front end has returned, with an error if it failed.
        case left(ViperError?)
        case signal(Int32)
    }

    private let windows: HostWindows
    private let frontEnd: any TerminalFrontEnd
    private let (occurrences, heard) = AsyncStream<Occurrence>.makeStream()

    /// Creates a session, which handles signals from now on.
    ///
    /// - Parameters:
    ///   - source: The source of the window's scenes.
    ///   - onSignal: A closure to call with the first signal. It is called even if a module blocks the main actor.
    ///   - atOnce: A closure to call before a second signal ends the process.
    /// - Throws: ``ViperError/Code/resourceMissing`` if the thread that handles signals cannot be started.
    init(
        _ source: any SceneSource & Sendable, _ frontEnd: any TerminalFrontEnd,
        onSignal: @escaping @Sendable () -> Void, atOnce: @escaping @Sendable () -> Void
    ) throws(ViperError) {
        (windows, self.frontEnd) = (HostWindows(source: source), frontEnd)
        try Signals.handle(terminal: { TerminalLoan.handle($0) }, atOnce: atOnce) { [heard] in
            onSignal()
            heard.yield(.signal($0))
        }
    }

    /// Opens a route and shows its window until the session ends. Sends events to the first scene.
    ///
    /// - Throws: The error of the route if no scene opens, or the error of the front end.
    func run(_ route: String, texts: [String: [String]], _ events: [Event]) async throws(ViperError) -> Session.Ending {
        let spinner = Spinner()
        let opening = Task { [heard, windows] in
            do throws(ViperError) {
                let (window, settled) = try await windows.begin(route, texts: texts, for: "terminal")
                heard.yield(.opened(.success((window, settled))))
            } catch {
                heard.yield(.opened(.failure(error)))
            }
        }
        var (window, showing, sending): ((any OpenWindow)?, Task<Void, Never>?, Task<Void, Never>?)
        var ending = Session.Ending.left
        loop: for await occurrence in occurrences {
            await spinner.stop()
            switch occurrence {
            case .opened(.failure(let error)): throw error
            case .opened(.success((let opened, let settled))):
                window = opened
                showing = try show(opened)
                // The terminal is lent now, so an error becomes a notice instead of being drawn over.
                sending = Task { await send(events, to: opened, after: settled) }
            case .left(let error):
                TerminalLoan.end()
                if let error { throw error }
                if let state = await window?.state(), state.isClosed, let error = state.error { ending = .lost(error) }
                break loop
            case .signal(let number):
                ending = .signal(number)
                showing?.cancel()
                await showing?.value
                TerminalLoan.end()
                break loop
            }
        }
        opening.cancel()
        sending?.cancel()
        Signals.beginLeaving()
        await windows.closeAll()
        return ending
    }

    /// Sends the events of the command line. An error is shown like a line of the log, below the screen.
    private func send(_ events: [Event], to window: any OpenWindow, after opening: Task<ViperError?, Never>) async {
        do throws(ViperError) {
            if let error = await opening.value { throw error }
            for event in events { try await window.send(event) }
        } catch {
            LogOutput.write("host: \(printable(error.summary))")
        }
    }

    private func show(_ window: any OpenWindow) throws(ViperError) -> Task<Void, Never> {
        let terminal = HostTerminal(window: window, notices: try TerminalLoan.begin())
        return Task.detached { [frontEnd, heard] in
            do throws(ViperError) {
                try await frontEnd.show(on: terminal)
                heard.yield(.left(nil))
            } catch {
                heard.yield(.left(error))
            }
        }
    }
}
