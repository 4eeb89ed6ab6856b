import Foundation
import HostDriver
package import Testing

/// A terminal of tmux in which a shell runs. Tests see its screen as a user does.
package final class ScreenTerminal: Sendable {
    private let folder: ScratchFolder
    private let environment: [String: String]
    private var socket: String { folder.path + "/tmux" }

    /// Starts a shell, calls a closure, and ends all programs of the terminal.
    ///
    /// - Parameters:
    ///   - environment: The variables of the shell, in addition to `PATH`, `HOME` and `TERM`.
    package static func run<Value>(
        columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
        _ body: (ScreenTerminal) async throws -> Value
    ) async throws -> Value {
        let terminal = try ScreenTerminal(environment)
        let start = try terminal.folder.write("PS1='$ '", to: "start")
        try await terminal.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "bash --rcfile '\(start)' -i")
        let result: Result<Value, any Error>
        do {
            try await terminal.waitForPrompt()
            result = .success(try await body(terminal))
        } catch { result = .failure(error) }
        _ = try? await terminal.tmux("kill-server")
        return try result.get()
    }

    private init(_ environment: [String: String]) throws {
        folder = try ScratchFolder()
        // tmux shows characters that are not ASCII only in a UTF-8 locale.
        self.environment = ["HOME": folder.path, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    }

    @discardableResult
    private func tmux(_ arguments: String...) async throws -> String {
        let result = try await ChildProcess("tmux", ["-S", socket, "-u"] + arguments, environment: environment).run()
        if result.ending != .code(0) { throw Tool.Failure(description: "tmux \(arguments): \(result)") }
        return result.text
    }

    /// Presses keys, such as `Enter`, `Down`, `C-z` or a letter.
    package func press(_ keys: String...) async throws {
        for key in keys { try await tmux("send-keys", key) }
    }

    package func type(_ text: String) async throws { try await tmux("send-keys", "-l", text) }

    /// Types a command for the shell.
    package func run(_ command: String) async throws {
        try await type(command)
        try await press("Enter")
    }

    package func resize(columns: Int, rows: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// The text on the screen, without spaces at the ends of lines.
    package func screen() async throws -> String { try await tmux("capture-pane", "-p") }

    /// The text on the screen, with escape sequences for colours.
    package func colouredScreen() async throws -> String { try await tmux("capture-pane", "-p", "-e") }

    package var isCursorVisible: Bool {
        get async throws { try await tmux("display-message", "-p", "#{cursor_flag}") == "1\n" }
    }

    /// True if a program uses the second screen, which has no history.
    package var isAlternate: Bool {
        get async throws { try await tmux("display-message", "-p", "#{alternate_on}") == "1\n" }
    }

    /// Waits until the shell asks for the next command. What is typed before may be lost.
    package func waitForPrompt(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait("the prompt", sourceLocation) { $0.split(separator: "\n").last == "$" }
    }

    /// Waits until the screen shows a text, and returns the screen.
    @discardableResult
    package func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await wait("\"\(text)\"", sourceLocation) { $0.contains(text) }
    }

    @discardableResult
    package func wait(
        _ name: String, _ sourceLocation: SourceLocation = #_sourceLocation, until condition: (String) -> Bool
    ) async throws -> String {
        var last = ""
        let isShown = try await eventually(within: Patience.reaction) {
            last = try await screen()
            return condition(last)
        }
        try #require(isShown, "\(name) was never shown; the screen is:\n\(last)", sourceLocation: sourceLocation)
        return last
    }
}

extension Tool {
    /// Sends a signal to the process whose command line ends with a text.
    ///
    /// - Parameter name: The signal's name, such as `TERM`.
    package static func signal(_ name: String, commandLine end: String) async throws {
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        let found = processes.first { process in
            let words = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
            let line = String(decoding: words, as: UTF8.self).split(separator: "\0").joined(separator: " ")
            return line.hasSuffix(end) && !line.contains("bash")
        }
        guard let found else { throw Failure(description: "no process runs \"\(end)\"") }
        _ = try await run("kill", ["-s", name, "\(found)"])
    }
}
