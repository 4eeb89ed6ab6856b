import Foundation
import HostDriver
import TestSupport
import Testing

/// `host quarantine`, with state folders in the format that a host writes.
@Suite(.fewAtOnce)
struct QuarantineTests {
    private let root: ScratchRoot
    private var state: String { root.folder.path + "/state" }

    init() throws { root = try ScratchRoot() }

    private func digest(_ start: String) -> String { start + String(repeating: "0", count: 64 - start.count) }

    private func put(
        _ start: String, module: String = "people", library: String = "libPeople.so", output: String = ""
    ) throws {
        let report = [
            "module": module, "library": library, "digest": digest(start), "phase": "make",
            "backtrace": "0 crash() at a.swift:1",
            "ending": "signal 11 (Segmentation fault)", "when": "2026-01-31T12:00:00Z", "output": output,
        ]
        try root.folder.write(JSONEncoder().encode(report), to: "state/quarantine/\(digest(start)).json")
    }

    private func host(_ words: String...) async throws -> ChildResult { try await host(words) }

    private func host(_ words: [String]) async throws -> ChildResult {
        try await root.host("quarantine", "--state", state) { $0.arguments.insert(contentsOf: words, at: 1) }
    }

    @Test("An empty quarantine lists nothing and creates no files")
    func empty() async throws {
        let result = try await host()
        #expect(result.ending == .code(0) && result.errors == "")
        #expect(result.text == "MODULE  LIBRARY  PHASE  ENDING  WHEN  DIGEST\n")
        #expect(try await host("--format", "json").text == "[\n\n]\n")
        #expect(!FileManager.default.fileExists(atPath: state))
        // The default state folder.
        let elsewhere = try await root.host("quarantine", environment: ["XDG_STATE_HOME": root.folder.path])
        #expect(elsewhere.text == result.text)
    }

    @Test("Quarantined libraries are listed, shown and retried")
    func listShowRetry() async throws {
        try put("abc1", output: "before the end\n")
        try put("abd2", module: "todo", library: "libTodo.so")
        let list = try await host()
        #expect(list.ending == .code(0) && list.errors == "")
        #expect(
            list.text == """
                MODULE  LIBRARY       PHASE  ENDING                          WHEN                  DIGEST
                people  libPeople.so  make   signal 11 (Segmentation fault)  2026-01-31T12:00:00Z  abc100000000
                todo    libTodo.so    make   signal 11 (Segmentation fault)  2026-01-31T12:00:00Z  abd200000000

                """)
        let shown = """
            module   people
            library  libPeople.so
            digest   \(digest("abc1"))
            phase    make
            ending   signal 11 (Segmentation fault)
            when     2026-01-31T12:00:00Z

            backtrace
            0 crash() at a.swift:1

            output
            before the end

            """
        for name in ["people", "abc", "ABC1", digest("abc1")] { #expect(try await host("show", name).text == shown) }
        let json = try JSONDecoder().decode(
            [[String: String]].self, from: try await host("show", "todo", "--format", "json").output)
        #expect(json.map { $0["digest"] } == [digest("abd2")])
        let retried = try await host("retry", "people")
        #expect(retried.ending == .code(0))
        #expect(retried.text == "libPeople.so of people (abc100000000) will be retried at its next use\n")
        #expect(try await host("retry", "abd2").ending == .code(0))
        #expect(try await host().text.split(separator: "\n").count == 1)
        #expect(!FileManager.default.fileExists(atPath: state + "/quarantine"))
    }

    @Test("host modules shows a module with a quarantined library as refused, also with --via")
    func modules() async throws {
        let sum = try await ChildProcess("sha256sum", ["\(Products.folder)/libCompanyList.so"]).run()
        try put(String(sum.text.prefix(64)), module: "company-list", library: "libCompanyList.so")
        let server = try await ServingHost(root, "--state", state)
        let list = try await root.host("modules", "--state", state)
        let served = try await ChildProcess(
            Products.host, ["modules", "--via", server.socket], environment: root.environment
        ).run()
        for result in [list, served] {
            #expect(result.ending == .code(0))
            #expect(result.text.contains("company-list  1.0.0    refused  libCompanyList.so"), "\(result)")
            #expect(result.text.contains("cannot load library \"libCompanyList.so\": it is quarantined; "), "\(result)")
        }
    }

    @Test("All libraries of a module are shown and retried together")
    func several() async throws {
        try put("1")
        try put("2")
        #expect(try await host("show", "people").text.components(separatedBy: "module   people\n").count == 3)
        #expect(try await host("retry", "people").text.split(separator: "\n").count == 2)
    }

    @Test("An unknown or ambiguous name exits with 66 and suggests names")
    func unknown() async throws {
        try put("abc1")
        try put("abd2", module: "todo", library: "libTodo.so")
        for word in ["show", "retry"] {
            let unknown = try await host(word, "poeple")
            #expect(unknown.ending == .code(66) && unknown.text == "")
            #expect(
                unknown.errors == """
                    host: cannot find in quarantine "poeple": no quarantined module or digest matches
                      did you mean  people
                      fix: run host quarantine to list all entries

                    """)
            let several = try await host(word, "ab")
            #expect(several.ending == .code(66))
            #expect(
                several.errors.contains(
                    "\"ab\": 2 digests start with it\n  match  \(digest("abc1")) libPeople.so of people"))
        }
        for name in ["../abc1", "/", "\(digest("abc1")).json", "\u{1B}[2J"] {
            let result = try await host("retry", name)
            #expect(result.ending == .code(66) && !result.errors.contains("\u{1B}"), "\(result)")
        }
        #expect(try await host().text.split(separator: "\n").count == 3)
    }

    @Test("An invalid command line exits with 64 and shows the syntax")
    func usage() async throws {
        let fix = "\n  fix: write host quarantine, or host quarantine show|retry DIGEST|MODULE\n"
        #expect(
            try await host("list").errors == "host: cannot parse \"list\": expected show or retry"
                + fix)
        #expect(
            try await host("show").errors == "host: cannot parse \"quarantine show\": DIGEST or MODULE is missing"
                + fix)
        for words in [["list"], ["show"], ["retry"], ["people", "show"], ["show", "people", "todo"], ["show", ""]] {
            let result = try await host(words)
            #expect(result.ending == .code(words == ["show", ""] ? 66 : 64), "\(result)")
        }
    }

    @Test("A damaged report is listed with an error, shown and retried")
    func damaged() async throws {
        try put("1")
        try root.folder.write("{\"module\": \"peo", to: "state/quarantine/\(digest("2")).json")
        let list = try await host()
        #expect(list.ending == .code(0))
        #expect(list.errors.hasPrefix("host: warning: cannot read \(state)/quarantine/2000"), "\(list)")
        #expect(list.text.contains("\n-       -             -      its report cannot be read: "), "\(list)")
        #expect(try await host("show", "2").text.contains("\nending   its report cannot be read: "))
        #expect(try await host("retry", "2").text == "200000000000 will be retried at its next use\n")
        #expect(try await host().errors == "")
    }

    @Test("Control characters in reports and file names do not reach the terminal")
    func hostile() async throws {
        try put("1", module: "\u{1B}[2J\n\u{7}", library: "../../x\n", output: "\u{1B}]0;owned\u{7}\nlast")
        for name in ["x.json", "\u{1B}[2J.json", "\(digest("3")).json.json"] {
            try root.folder.write("{}", to: "state/quarantine/\(name)")
        }
        for words in [[], ["show", "1"], ["retry", "1"]] {
            let result = try await host(words)
            #expect(result.ending == .code(0))
            #expect(!(result.text + result.errors).contains { "\u{1B}\u{7}".contains($0) }, "\(result)")
        }
        #expect(try await host().text.split(separator: "\n").count == 1)
    }

    @Test("Two thousand reports are listed")
    func many() async throws {
        for number in 0..<2_000 { try put(String(format: "%08x", number), module: "m\(number)") }
        let list = try await host()
        #expect(list.ending == .code(0) && list.errors == "")
        #expect(list.text.split(separator: "\n").count == 2_001)
        #expect(try await host("show", "m77").text.contains(digest("0000004d")))
    }

    @Test("Of two concurrent retries of a module, at least one succeeds")
    func atOnce() async throws {
        for round in 0..<5 {
            try put("\(round)")
            async let (one, other) = (host("retry", "people"), host("retry", "people"))
            let endings = try await [one.ending, other.ending]
            #expect(
                endings.contains(.code(0)) && endings.allSatisfy { $0 == .code(0) || $0 == .code(66) }, "\(endings)")
            #expect(try await host().text.split(separator: "\n").count == 1)
        }
    }
}
