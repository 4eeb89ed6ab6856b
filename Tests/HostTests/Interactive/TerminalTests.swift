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

    @Test(
        "A table fits the terminal, and in a pipe each entry is one line",
        arguments: ["routes", "modules", "services"])
    func width(command: String) async throws {
        let root = try ScratchRoot()
        for module in ["alert", "details", "people", "todo", "http-client"] { try root.copyManifest(module) }
        func list(columns: Int, to output: ChildProcess.Output) async throws -> String {
            let result = try await root.host(command, environment: ["NO_COLOR": "1"]) { child in
                let script = "stty cols \(columns) <&1 2> /dev/null; exec \"$@\""
                child.arguments = ["-c", script, "sh", child.program] + child.arguments
                (child.program, child.output) = ("sh", output)
            }
            #expect(result.ending == .code(0), "\(result)")
            return result.text
        }
        let wide = try await list(columns: 40, to: .captured)
        for columns in [40, 60, 80, 200] {
            let shown = try await list(columns: columns, to: .terminal)
            for line in shown.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
            #expect(
                Set(wide.split(whereSeparator: \.isWhitespace)).isSubset(
                    of: shown.split(whereSeparator: \.isWhitespace)))
            // The list of services is the narrowest one.
            if columns == 40 || columns == 200 { #expect((columns == 200) == (shown == wide)) }
        }
    }
}
