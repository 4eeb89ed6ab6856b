import Glibc
import HostSystem
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host run [ROUTE]`: opens a route, sends the events from the options to its scene, and shows the screen.
struct RunCommand: Command {
    /// The route's name. Nil for the start route.
    var route: String?
    /// The values of the route's parameters.
    var texts: [String: [String]] = [:]
    var events = SceneEvents()
    var isInteractive = false
    /// True if a session reads and writes lines, even if a front end could draw it.
    var isPlain = false
    /// True if an alert on the final screen is an error.
    var failsOnAlert = false
    var via = Via()
    var host = HostOptions()
    var format = Format.text

    static let name = "run"
    static let summary = "Open a route and show its screen"
    static let example = "run list --data ~/people --format json"
    static let operands = [Operand("ROUTE", \Self.route)]
    static let parameters: (any WritableKeyPath<Self, [String: [String]]> & Sendable)? = \Self.texts
    static let options =
        SceneEvents.options.map { $0.at(\Self.events) }
        + [
            Option("-i", "--interactive", summary: "Then start a session, drawn on the terminal") {
                $0.isInteractive = true
            },
            Option("--plain", summary: "Let the session read commands, one per line, and print each screen") {
                $0.isPlain = true
            },
            Option("--fail-on", value: "alert", summary: "Exit with 1 if the final screen has an alert") {
                command, word throws(ViperError) in
                guard word == "alert" else {
                    throw invalidArgument("--fail-on \(word)", "expected alert", fix: "write --fail-on alert")
                }
                command.failsOnAlert = true
            },
            HostOptions.isolate.at(\.host), HostOptions.start.at(\.host), Via.option.at(\.via),
        ] + HostOptions.common.map { $0.at(\.host) } + [Format.option.at(\.format)]
    static let details =
        """
        Without ROUTE, the start route opens. --fill, --press, --act and --select act on the screen in the given order.

        -i starts a session. At a terminal, the module that provides terminal-front-end draws it; ? shows the keys. \
        With --plain, with a pipe, with TERM=dumb or without such a module, the session reads commands from standard \
        input, and continues after an invalid line. \
        With --format json, each screen is one line of JSON, and each line of input is answered by one line, \
        except in a dialog. The exit code of a session is 0, 130 after Ctrl-C, 69 if the host of --via is lost \
        or another process has killed the process of its last module, or 70 if that process crashed or a module does \
        not return within \(endLimit.inSeconds) after Ctrl-C.

        \(SessionCommand.helpText)
        """

    func check() throws(ViperError) {
        if failsOnAlert, isInteractive {
            throw invalidArgument("--fail-on", "it cannot be combined with -i", fix: "remove one of them")
        }
    }

    @MainActor
    func output() async throws -> String {
        let origin = try await SceneOrigin(of: self)
        if isInteractive {
            if let screen = await ScreenFrontEnd(of: self, origin.host) {
                return try await stay(in: origin, drawnBy: screen)
            }
            return try await stay(in: origin)
        }
        do {
            let (result, alert) = try await result(origin)
            // Write the result before the modules stop, because a module may hang or fail while stopping.
            try Terminal.write(result, to: STDOUT_FILENO)
            if failsOnAlert, let alert {
                throw ViperError(
                    .alertShown, operation: "cannot accept the screen of", subject: route ?? "the start route",
                    cause: "it has an alert: \(alert.title)",
                    notes: alert.message.map { [.init("alert", $0.replacing("\n", with: " "))] } ?? [])
            }
        } catch {
            await origin.end()
            throw error
        }
        await origin.end()
        return ""
    }

    /// Returns the final screen in the output format, and its alert. If its scene has closed, the screen offers nothing to
    /// use.
    @MainActor
    private func result(_ origin: SceneOrigin) async throws -> (text: String, alert: Alert?) {
        let window = origin.window()
        defer { window.closeAll() }
        try await begin(in: window)
        var screen = window.screen
        if window.top != nil { return (try format.text(of: screen), screen.alert) }
        (screen.actions, screen.form) = ([], nil)
        let ending = format == .text ? Terminal.style.dim("(closed)") + "\n" : ""
        return (try format.text(of: screen) + ending, screen.alert)
    }

    @MainActor
    private func begin(in window: Window) async throws(ViperError) {
        try await window.open(route ?? "", texts: texts)
        for event in events.all { try await window.handle(event) }
    }

    /// Runs an interactive session. Returns an empty string, because the session prints its own output.
    @MainActor
    private func stay(in origin: SceneOrigin) async throws -> String {
        let window = origin.window()
        // If the reader of the output exits, the host must still stop its modules.
        signal(SIGPIPE, SIG_IGN)
        let session = try Self.session(in: window, Display(format), of: origin.host)
        let result: Result<Session.Ending, any Error>
        do {
            result = .success(try await session.run { () throws(ViperError) in try await begin(in: window) })
        } catch {
            result = .failure(error)
        }
        window.closeAll()
        // If a module does not stop, a signal ends the process immediately, and the limit after the first signal ends it.
        await origin.end()
        withExtendedLifetime(session) {}
        return try Self.finish(result)
    }

    /// Runs a session that a front end draws.
    @MainActor
    private func stay(in origin: SceneOrigin, drawnBy screen: ScreenFrontEnd) async throws -> String {
        // If the terminal is gone, the host must still stop its modules.
        signal(SIGPIPE, SIG_IGN)
        let limit = try ShutdownLimit(of: screen.host) { TerminalLoan.takeBack() }
        let session = try ScreenSession(origin.source, screen.frontEnd) {
            limit.limit(to: Self.endLimit)
            origin.host?.beginEnding()
        } atOnce: {
            screen.host.removeFolder()
        }
        let result: Result<Session.Ending, any Error>
        do {
            result = .success(try await session.run(route ?? "", texts: texts, events.all))
        } catch {
            TerminalLoan.takeBack()
            result = .failure(error)
        }
        await screen.end()
        await origin.end()
        // The error was not shown, because the front end has left the terminal.
        if case .success(.lost(let error)) = result { throw error }
        return try Self.finish(result)
    }

    /// Ends a command after its session.
    private static func finish(_ result: Result<Session.Ending, any Error>) throws -> String {
        switch result {
        case .success(.left): return ""
        case .success(.signal(let number)): LogOutput.exit(128 + number)
        case .success(.lost(let error)): LogOutput.exit(ExitCode(error.code.kind).rawValue)
        case .failure(let error as ViperError) where error.code == .outputFailed:
            // If the reader of the output has exited, SIGPIPE ends the host during this write, as it would without a
            // session.
            signal(SIGPIPE, SIG_DFL)
            try Terminal.write("\n", to: STDOUT_FILENO)
            throw error
        case .failure(let error): throw error
        }
    }

    /// The time within which a session must end after its first signal.
    private static let endLimit = Duration.seconds(10)

    @MainActor
    private static func session(
        in window: Window, _ display: Display, of host: ViperHost?
    ) throws(ViperError) -> Session {
        guard let host else { return try Session(window, display, onSignal: {}, atOnce: {}) }
        let limit = try ShutdownLimit(of: host)
        return try Session(window, display) {
            limit.limit(to: endLimit)
            host.beginEnding()
            if !host.hasRunningCalls { return }
            LogOutput.write(
                "host: waits up to \(endLimit.inSeconds) for running calls; a second signal ends the host at once")
        } atOnce: {
            host.removeFolder()
        }
    }
}
