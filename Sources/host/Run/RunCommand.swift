import Glibc
import ModuleRuntime
import ViperKit

/// `host run ROUTE`: opens a route, sends the events from the options to its scene, and shows the screen.
struct RunCommand {
    let options: Options

    @MainActor
    func output() async throws -> String {
        let origin = try await SceneOrigin(options)
        if options.isInteractive { return try await stay(in: origin) }
        do {
            let screen = try await finalScreen(origin)
            // Write the result before the modules stop, because a module may hang or fail while stopping.
            try Terminal.write(options.text(of: screen), to: STDOUT_FILENO)
        } catch {
            await origin.end()
            throw error
        }
        await origin.end()
        return ""
    }

    @MainActor
    private func finalScreen(_ origin: SceneOrigin) async throws(ViperError) -> Screen {
        let window = origin.window()
        defer { window.closeAll() }
        try await begin(in: window)
        return window.screen
    }

    @MainActor
    private func begin(in window: Window) async throws(ViperError) {
        try await window.open(options.operands[0], texts: options.parameters)
        for event in options.events { try await window.handle(event) }
    }

    /// Runs an interactive session. Returns an empty string, because the session prints its own output.
    @MainActor
    private func stay(in origin: SceneOrigin) async throws -> String {
        let window = origin.window()
        // If the reader of the output exits, the host must still stop its modules.
        signal(SIGPIPE, SIG_IGN)
        let session = Session(window, Display(options.format))
        let result: Result<Session.Ending, any Error>
        do {
            result = .success(try await session.run { () throws(ViperError) in try await begin(in: window) })
        } catch {
            result = .failure(error)
        }
        window.closeAll()
        // If a module does not stop, a signal ends the process immediately.
        await origin.end()
        withExtendedLifetime(session) {}
        switch result {
        case .success(.left): return ""
        case .success(.signal(let number)): LogOutput.exit(128 + number)
        case .success(.lost(let error)): LogOutput.exit(ExitCode(error.code).rawValue)
        case .failure(let error as ViperError) where error.code == .outputFailed:
            // If the reader of the output has exited, SIGPIPE ends the host during this write, as it would without a
            // session.
            signal(SIGPIPE, SIG_DFL)
            try Terminal.write("\n", to: STDOUT_FILENO)
            throw error
        case .failure(let error): throw error
        }
    }
}
