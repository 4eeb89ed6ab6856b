import Foundation
import HostDriver
import Testing

/// A mistake that ViperTesting reports.
///
/// ``MistakeTests`` makes it in a child process, so that its issues do not fail this run.
struct Mistake: Sendable, CustomTestStringConvertible {
    struct Issue: Sendable {
        var text: String
        /// The source line of the issue.
        var line: String
    }

    var testDescription: String

    static let otherScreen = Mistake("other screen")
    static let missingSnapshot = Mistake("missing snapshot")
    static let leak = Mistake("leak")
    static let closedScene = Mistake("closed scene")
    static let unscriptedRequest = Mistake("unscripted request")
    static let undeclaredRoute = Mistake("undeclared route")
    static let closedProvider = Mistake("closed provider")

    static func provider(_ defect: FaultyDataProvider.Defect) -> Mistake { Mistake("provider \(defect.rawValue)") }

    private init(_ description: String) { testDescription = description }

    private static let variable = "VIPER_MISTAKE"

    /// The mistake that this process makes. Empty except in a child process of ``issues()``.
    static var asked: [Mistake] { ProcessInfo.processInfo.environment[variable].map { [Mistake($0)] } ?? [] }

    /// Makes the mistake in a child process and returns the issues recorded there.
    func issues() async throws -> [Issue] {
        let folder = try ScratchFolder()
        let events = folder.path + "/events"
        let child = ChildProcess(
            Products.tests,
            ["--testing-library", "swift-testing", "--filter", "ViperTestingTests.MistakeTests"]
                + ["--event-stream-output-path", events, "--event-stream-version", "0"],
            environment: [Self.variable: testDescription])
        let result = try await child.run()
        try #require(result.ending == .code(EXIT_FAILURE), "\(result)")
        let records = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
        return try records.compactMap { try JSONDecoder().decode(Record.self, from: Data($0.utf8)).payload.recorded }
    }

    /// A line of the event stream, reduced to the fields read here.
    private struct Record: Decodable {
        struct Payload: Decodable {
            struct Issue: Decodable { var sourceLocation: Location? }
            struct Location: Decodable {
                var file: String
                var line: Int

                // The event stream prefixes unstable keys with an underscore.
                enum CodingKeys: String, CodingKey {
                    case file = "_filePath"
                    case line
                }
            }
            struct Message: Decodable {
                var symbol: String
                var text: String
            }
            var issue: Issue?
            var messages: [Message]?

            var recorded: Mistake.Issue? {
                get throws {
                    guard let issue else { return nil }
                    // The first message is the kind of issue, and the second its comment.
                    let text = (messages ?? []).filter { $0.symbol == "details" }.map(\.text).joined()
                    guard let location = issue.sourceLocation else { return Mistake.Issue(text: text, line: "") }
                    let source = try String(contentsOfFile: location.file, encoding: .utf8)
                    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
                    let line = lines[location.line - 1].trimmingCharacters(in: .whitespaces)
                    return Mistake.Issue(text: text, line: line)
                }
            }
        }
        var payload: Payload
    }
}
