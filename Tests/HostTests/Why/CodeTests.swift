import Foundation
import HostDriver
import TestSupport
import Testing

/// The entries of the error codes, which the article ErrorCodes contains and `host why` prints.
///
/// ReadmeTests execute the commands of the entries and compare what they print.
@Suite(.fewAtOnce)
struct CodeTests {
    private struct Shown: Decodable {
        struct Step: Decodable {
            var label: String
            var text: String
        }
        var name: String
        var steps: [Step]
    }

    private static let article = Document(path: Document.catalogue + "/ErrorCodes.md")

    /// The codes whose error only a module sees. A module of this test reaches them in the built host.
    private static let inModule = [
        "service-missing", "service-denied", "service-type-mismatch", "file-missing", "file-empty", "file-denied",
        "file-malformed", "file-unreadable", "json-invalid", "record-exists", "record-missing", "record-invalid",
        "http-request-invalid", "http-failed", "address-invalid", "listening-failed", "transition-unknown",
    ]

    /// The tests that reach the other codes in the built host, with a part of the error that they expect.
    private static let elsewhere: [String: (file: String, text: String)] = [
        "busy": ("Install/InstallServedTests", #""code":"busy""#),
        "connection-lost": ("Run/ViaTests", #"cannot reach \"\(host.socket)\""#),
        "contract-broken": ("Contracts/ContractTests", "modules in the root use 1.1.0, and cannot use 2.0.0"),
        "contract-in-use": ("Contracts/LiveContractTests", "this process has loaded version "),
        "contract-unmet": ("Contracts/ContractTests", "it was built for version 1.1 of the contract"),
        "folder-not-executable": ("Loading/SharedLibraryTests", "whose file system is mounted with noexec"),
        "host-ending": ("Serve/ServeEndTests", "host-ending"),
        "http-status-unexpected": ("Modules/TodoTests", "the server responded with status 503"),
        "library-affects-process": ("Loading/SharedLibraryTests", "take room in a small block of the process"),
        "library-conflict": ("Loading/SharedLibraryTests", "another file has this name in the process"),
        "manifest-separate": ("Install/InstallTests", "describes it, and would take precedence"),
        "module-outdated": ("Serve/LiveTroubleTests", "libVersion.so was replaced after its manifest was read"),
        "peer-untrusted": ("Serve/StrangerSocketTests", "peer-untrusted"),
        "service-failed": ("Loading/ServiceTests", "its provider \"wiring\" failed: Mishap()"),
        "service-not-ready": ("Loading/ServiceTests", "it has not been created yet"),
        "time-limit": ("Serve/LiveTests", "time-limit"),
        "version-missing": ("Install/InstallTests", "Plugins/.versions has no version 7.0.0"),
        "worker-crashed": ("Serve/IsolationTests", "worker-crashed"),
        "worker-killed": ("Serve/KilledWorkerTests", "worker-killed"),
    ]

    /// The codes that no test reaches in the built host, with the reason.
    private static let unreached = [
        "call-cancelled": "the caller makes this error itself, and waits no longer; PeerTests reach it",
        "call-failed": "a host answers with errors of its own only; PeerTests answer as another program",
        "navigation-too-deep": "the scenes above hide the error in the host's output; NavigationLimitTests reach it",
        "resource-missing":
            "how many descriptors are left depends on those that a host inherits; PrivateFolderTests reach it",
        "module-retired": "a call must begin at the moment at which its module stops",
    ]

    /// Returns the codes that the sources declare.
    private static func declared() throws -> Set<String> {
        let folder = "\(Products.repository)/Sources"
        var codes: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            let pattern = /(?m)^ *(?:public |package )?static var \w+: Self { Self\("([a-z-]+)", \.\w+\) }/
            for match in text.matches(of: pattern) where !path.contains("/Templates/") { codes.insert(String(match.1)) }
        }
        return codes
    }

    /// Returns the code blocks of the article's entries, keyed by code.
    private static func entries() throws -> [String: [Document.Block]] {
        let parts = try article.text.components(separatedBy: "\n### `").dropFirst()
        return Dictionary(
            parts.map { part in
                let blocks = part.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(
                    \.element)
                return (
                    String(part.prefix { $0 != "`" }),
                    blocks.map { block in
                        let lines = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                        return Document.Block(language: String(lines[0]), text: String(lines[1]))
                    }
                )
            }
        ) { first, _ in first }
    }

    @Test("Each code has an entry, and each code is reached by a test, or a reason says why not")
    func complete() throws {
        let entries = try Self.entries()
        #expect(try Set(entries.keys) == Self.declared())
        let executed = entries.filter { $0.value.contains { $0.language == "console" } }.keys
        let lists = [Set(executed), Set(Self.inModule), Set(Self.elsewhere.keys), Set(Self.unreached.keys)]
        #expect(lists.reduce(Set()) { $0.union($1) } == Set(entries.keys))
        #expect(lists.reduce(0) { $0 + $1.count } == entries.count, "a code is reached twice")
        for (code, test) in Self.elsewhere {
            let file = "\(Products.repository)/Tests/HostTests/\(test.file).swift"
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(test.text), "\(code): \(test.file)")
        }
    }

    @Test("host why prints the entry of each code, from the article")
    func printed() async throws {
        let root = try ScratchRoot()
        for (code, blocks) in try Self.entries() {
            let result = try await root.host("why", code, "--format", "json")
            let shown = try JSONDecoder().decode([Shown].self, from: result.output)
            #expect(shown.map(\.name) == [code])
            #expect(shown[0].steps.first?.label == "meaning" && shown[0].steps.first?.text.isEmpty == false, "\(shown)")
            #expect(shown[0].steps.dropFirst().map(\.text) == [blocks.map(\.text).joined(separator: "\n")])
        }
        let one = try await root.host("why", "route-unknown")
        #expect(one.text.contains("  $ host run lst\n"), "\(one)")
    }

    @Test("The command of an entry fails with its code")
    func commands() async throws {
        let tutorial = try await Tutorial(Self.article)
        // Adds --format json to each command that has it, so that the error is shown with its code.
        let wrapper = """
            #!/bin/bash
            case "$1" in
            run|routes|modules|why|check|test|inspect|quarantine|lock) exec "\(Products.host)" "$@" --format json ;;
            *) exec "\(Products.host)" "$@" ;;
            esac

            """
        let silent: Set = [
            "checkout-missing", "sdk-missing", "file-exists", "source-missing", "source-invalid", "program-failed",
            "socket-failed",
        ]
        for (code, blocks) in try Self.entries().sorted(by: { $0.key < $1.key }) {
            let commands = blocks.filter { $0.language == "console" }.flatMap(\.steps).map(\.command)
            if commands.isEmpty || silent.contains(code) { continue }
            let shown = try await tutorial.output(of: commands, host: wrapper)
            #expect(
                shown.contains("\"code\":\"\(code)\"") || shown.contains("\"code\" : \"\(code)\""), "\(code): \(shown)")
        }
    }

    @Test("A module that makes the mistake gets the error of the entry", arguments: inModule)
    func mistake(code: String) async throws {
        let root = try ScratchRoot()
        for module in ["details", "http-client"] { try root.copyManifest(module) }
        try await root.add(.codes, .codes)
        for (file, text) in [("empty.json", " \n"), ("malformed.json", "[1,]"), ("folder.json/x", "")] {
            try root.folder.write(text, to: "data/\(file)")
        }
        let data = root.folder.path + "/data"
        let shown = try await root.host(
            "run", "codes", "code=\(code)", "--data", data, environment: ["XDG_STATE_HOME": root.folder.path + "/state"]
        )
        let lines = shown.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.first == code, "\(shown)")
        let entry = try #require(try Self.entries()[code]?.first?.text)
        let expected = entry.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Array(lines.dropFirst()).map { $0.replacing(data, with: "DATA") } == expected, "\(shown)")
    }
}
