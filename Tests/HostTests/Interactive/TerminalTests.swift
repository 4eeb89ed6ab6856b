import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct TerminalTests {
    private func list(_ command: [String], environment: [String: String], to output: ChildProcess.Output) async throws
        -> String
    {
        let root = try ScratchRoot()
        let result = try await root.host(environment: environment) { child in
            child.arguments = command + child.arguments
            child.output = output
        }
        #expect(result.ending == .code(0), "\(result)")
        return result.text
    }

    private static let escape = "\u{1B}["

    @Test(
        "A terminal shows colour, and the text is otherwise the same",
        arguments: [["run", "list"], ["routes"], ["modules"]])
    func colour(command: [String]) async throws {
        let shown = try await list(command, environment: ["TERM": "xterm"], to: .terminal)
        #expect(shown.contains(Self.escape + "1m"))
        let plain = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == (try await list(command, environment: ["TERM": "xterm"], to: .captured)))
    }

    @Test("Output to a file or NO_COLOR disables colour")
    func noColour() async throws {
        let cases: [(environment: [String: String], output: ChildProcess.Output)] = [
            (["TERM": "xterm"], .captured), (["TERM": "xterm", "NO_COLOR": "1"], .terminal),
        ]
        for (environment, output) in cases {
            let shown = try await list(["run", "list"], environment: environment, to: output)
            #expect(shown == RunTests.list, "\(environment)")
        }
    }

    @Test("An empty NO_COLOR is ignored, as no-color.org requires")
    func emptyNoColour() async throws {
        let shown = try await list(["run", "list"], environment: ["TERM": "xterm", "NO_COLOR": ""], to: .terminal)
        #expect(shown.contains(Self.escape))
    }

    @Test("JSON on a terminal has no colour")
    func json() async throws {
        let shown = try await list(["run", "list", "--format", "json"], environment: ["TERM": "xterm"], to: .terminal)
        #expect(shown.hasPrefix("{") && !shown.contains(Self.escape))
    }
}
