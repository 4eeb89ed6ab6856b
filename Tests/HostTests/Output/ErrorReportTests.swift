import Foundation
import HostDriver
import TestSupport
import Testing

/// Errors of commands with `--format json`.
@Suite(.fewAtOnce)
struct ErrorReportTests {
    private struct Shown: Decodable, Equatable {
        struct Note: Decodable, Equatable { var label, text: String }

        var code, kind, operation, subject, cause: String
        var notes: [Note]?
        var fix: String?
        var exitCode: Int32
    }

    @Test("With --format json, the error of each command is one line of JSON with the exit code")
    func errors() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        try root.add(manifest: "[]", as: "broken.json")
        let schema = "\(Products.repository)/Manifests/error.schema.json"
        let cases: [(words: [String], code: String, exitCode: Int32)] = [
            (["run", "lst"], "route-unknown", 69),
            (["run", "workshop/greet"], "parameter-missing", 64),
            (["run", "workshop/form", "--press", "no"], "event-unknown", 64),
            (["run", "list", "--state", "/dev/null"], "store-failed", 74),
            (["run", "list", "--press"], "usage", 64),
            (["rnu"], "usage", 64),
            (["--nosuch"], "usage", 64),
            (["routes", "lsit"], "route-unknown", 69),
            (["modules", "nosuch"], "module-unknown", 69),
            (["services", "--via", root.folder.path + "/no.sock"], "host-missing", 69),
            (["inspect", root.folder.path + "/no.so"], "library-file-missing", 66),
            (["quarantine", "show", "nosuch"], "quarantine-unknown", 66),
            (["test", "nosuch"], "module-unknown", 69),
            (["build", root.folder.path], "usage", 64),
            (["completion", "fish"], "usage", 64),
        ]
        var paths: [String] = []
        for (index, (words, code, exitCode)) in cases.enumerated() {
            let form = index % 2 == 0 ? ["--format", "json"] : ["--format=json"]
            let result = try await ChildProcess(
                Products.host, words + form, environment: root.environment.merging(["VIPER_ROOT": root.path]) { $1 }
            ).run()
            #expect(result.ending == .code(exitCode), "\(words): \(result)")
            #expect(result.text == "", "\(words): \(result)")
            let lines = result.errors.split(separator: "\n")
            let shown = try JSONDecoder().decode(Shown.self, from: Data((lines.last ?? "").utf8))
            #expect(shown.exitCode == exitCode, "\(words): \(shown)")
            #expect(shown.code == code, "\(words): \(shown)")
            #expect(lines.dropLast().allSatisfy { !$0.hasPrefix("{") }, "\(words): \(result)")
            paths.append(try root.folder.write("\(lines.last ?? "")", to: "errors/\(index).json"))
        }
        let verdicts = try await SchemaJudge.verdicts(schema, on: paths)
        #expect(verdicts.count == cases.count && verdicts.values.allSatisfy { $0 == nil }, "\(verdicts)")
    }

    @Test("The parts of the error are those of its text, and hostile text stays inside of strings")
    func parts() async throws {
        let root = try ScratchRoot()
        func error(_ route: String) async throws -> Shown {
            let result = try await root.host("run", "--format", "json", route)
            #expect(result.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "\(result)")
            return try JSONDecoder().decode(Shown.self, from: Data(result.errors.utf8))
        }
        #expect(
            try await error("lst")
                == Shown(
                    code: "route-unknown", kind: "unavailable", operation: "cannot open route", subject: "lst",
                    cause: "no module provides it",
                    notes: [
                        .init(label: "looked in", text: "Manifests (1 module, 4 routes)"),
                        .init(label: "did you mean", text: "list"),
                    ], fix: nil, exitCode: 69))
        let hostile = "\"},{\u{1B}[31m\u{202E}\nhost: \\"
        #expect(try await error(hostile).subject == hostile)
        let text = try await root.host("run", "lst", "--", "--format=json")
        #expect(text.errors.hasPrefix("host: "), "\(text)")
    }

    @Test("The report of host test precedes its error, and each error of a session is a line")
    func withOutput() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("people")
        let tested = try await root.host("test", "people", "--check", "routes", "--format", "json")
        #expect(tested.ending == .code(1), "\(tested)")
        #expect(try JSONSerialization.jsonObject(with: tested.output) is [String: Any])
        #expect(try JSONDecoder().decode(Shown.self, from: Data(tested.errors.utf8)).code == "check-failed")
        let input = try root.folder.write("nosuch\nquit\n", to: "input")
        let session = try await root.host("run", "list", "-i", "--format", "json") { $0.input = input }
        #expect(session.ending == .code(0))
        #expect(session.text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
        #expect(try JSONDecoder().decode(Shown.self, from: Data(session.errors.utf8)).subject == "nosuch", "\(session)")
    }

    @Test("--fail-on alert exits with 1 if the final screen has an alert, and shows the screen before")
    func alert() async throws {
        let root = try ScratchRoot()
        let data = try ScratchFolder()
        try data.write("{\n", to: "company.json")
        func run(_ more: String...) async throws -> ChildResult {
            try await root.host("run", "list", "--data", data.path) { $0.arguments += more }
        }
        let failed = try await run("--fail-on", "alert")
        #expect(failed.ending == .code(1), "\(failed)")
        #expect(failed.text.hasPrefix("People by company\n! Cannot read the list\n"), "\(failed)")
        #expect(
            failed.errors == """
                host: cannot accept the screen of "list": it has an alert: Cannot read the list
                  alert  cannot read file "company.json:2:1": expected a key in double quotes

                """)
        let json = try await run("--format", "json", "--fail-on=alert")
        #expect(json.ending == .code(1) && json.text.hasPrefix("{"), "\(json)")
        let shown = try JSONDecoder().decode(Shown.self, from: Data(json.errors.utf8))
        #expect(shown.code == "alert-shown" && shown.kind == "check" && shown.exitCode == 1, "\(shown)")
        #expect(try await run().ending == .code(0))
        // Only the final screen counts.
        #expect(try await run("--fail-on", "alert", "--press", "close").text.hasSuffix("(closed)\n"))
        let fine = try await root.host("run", "list", "--fail-on", "alert")
        #expect(fine.ending == .code(0) && fine.errors == "", "\(fine)")
        for (more, cause) in [(["-i"], "it cannot be combined with -i"), (["--fail-on", "error"], "expected alert")] {
            let invalid = try await root.host("run", "list", "--fail-on", "alert") { $0.arguments += more }
            #expect(invalid.ending == .code(64) && invalid.errors.contains(cause), "\(invalid)")
        }
    }
}
