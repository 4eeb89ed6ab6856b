import Foundation
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ReadmeTests {
    @Test("The code in README compiles, and its commands print the output that it shows")
    func walkthrough() async throws {
        let root = try ScratchRoot()
        for module in ["account", "http", "http-client", "people", "todo"] { try root.copyManifest(module) }
        // Local servers replace the public ones: one with the same todos, and one that knows ada.
        let (todos, login) = (try await TestServer("todos"), try await TestServer("login"))
        let settings = [("todo", todos), ("account", login)].map { #""\#($0)": { "baseURL": "\#($1.url)" }"# }
        try root.folder.write(#"{ "set": { \#(settings.joined(separator: ", ")) } }"#, to: "root/host.json")
        let files = FileManager.default
        let sqlite = try String(contentsOfFile: "\(Products.repository)/Manifests/sqlite.json", encoding: .utf8)
        try root.add(manifest: sqlite, as: "sqlite.json")
        try files.createDirectory(atPath: "\(root.path)/.build", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(root.path)/.build/debug", withDestinationPath: Products.folder)
        var languages: [String] = []
        for block in try Self.blocks() {
            languages.append(block.language)
            switch block.language {
            case "swift":
                try keep(block.text, as: block.text.contains("@Test") ? "HelloTests.swift" : "Hello.swift", in: root)
            case "json": try keep(block.text, as: "Manifests/hello.json", in: root)
            case "sh": #expect(try await shell("set -e\n" + block.text, in: root) == "")
            default:
                for step in Self.transcript(block.text) {
                    if step.command.hasPrefix("swift test --package-path ") {
                        try await test(step.command, in: root)
                    } else if !step.command.hasPrefix("swift ") {
                        var shown = try await shown(by: step, in: root)
                        // The numbers in this block differ between runs.
                        let haveNumbers = block.language.hasSuffix(" numbers")
                        if haveNumbers, Self.withoutNumbers(shown) == Self.withoutNumbers(step.output) {
                            shown = step.output
                        }
                        #expect(shown == step.output, "\(step.command)")
                    }
                }
            }
        }
        let (consoles, live) = (
            Array(repeating: "console", count: 11), ["console", "console", "console", "console numbers"]
        )
        #expect(
            languages == consoles + ["swift", "json", "sh", "console", "console", "console"] + live
                + ["console", "console", "swift"])
    }

    /// Writes a file of README to the root, and compares it with the same file among the tests, which compile and run
    /// it.
    private func keep(_ text: String, as name: String, in root: ScratchRoot) throws {
        let tested = "\(Products.repository)/Tests/ViperTestingTests/Hello/\(name)"
        #expect(try String(contentsOfFile: tested, encoding: .utf8) == text, "\(name) differs between README and tests")
        try root.folder.write(text, to: "root/" + (name.split(separator: "/").last.map(String.init) ?? name))
    }

    /// Runs the tests of the tutorial's package with SwiftPM in `.ci/run`, which takes a minute, and otherwise with
    /// swiftc.
    private func test(_ command: String, in root: ScratchRoot) async throws {
        if ProcessInfo.processInfo.environment["VIPER_WHOLE_README"] != nil {
            #expect(try await shell("\(command) && echo all passed", in: root).hasSuffix("\nall passed\n"))
        } else {
            let build = "\(root.folder.path)/tests"
            try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
            let module = GeneratedModule("TodoList", in: "\(root.path)/todo-list")
            #expect(try await GeneratedModule.test([module], in: build).ending == .code(0))
        }
    }

    private func shown(by step: (command: String, output: String), in root: ScratchRoot) async throws -> String {
        guard step.output.hasSuffix("\n^C\n") else { return try await shell(step.command, in: root) }
        let words = step.command.split(separator: " ").map(String.init)
        let session = try root.terminal(environment: Self.environment(in: root)) { child in
            (child.arguments, child.workingFolder) = (Array(words.dropFirst()), root.path)
        }
        let awaited = step.output.dropLast("^C\n".count).replacing("\n", with: "\r\n")
        let shown = try await session.wait(for: String(awaited))
        try session.type("\u{3}")
        let (ending, rest) = try await session.end()
        #expect(ending == .code(130))
        return shown + rest + "\n"
    }

    private static func environment(in root: ScratchRoot) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return [
            "PATH": "\(Products.folder):\(path)", "TMPDIR": root.temporary, "NO_COLOR": "1",
            "XDG_STATE_HOME": "\(root.folder.path)/state",
        ]
    }

    private static func withoutNumbers(_ text: String) -> String {
        text.replacing(/[0-9]+/, with: "0").replacing(/\ +/, with: " ")
    }

    /// Returns standard output and standard error of a command as one text.
    private func shell(_ command: String, in root: ScratchRoot) async throws -> String {
        var child = ChildProcess(
            "bash", ["-c", "{ \(command)\n} 2>&1"], environment: Self.environment(in: root))
        child.workingFolder = root.path
        return try await child.run().text
    }

    private struct Block {
        var language: String
        var text: String
    }

    private static func blocks() throws -> [Block] {
        let readme = try String(contentsOfFile: "\(Products.repository)/README.md", encoding: .utf8)
        // Every second part is a block, and its first line is the language.
        let parts = readme.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return parts.map { part in
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Block(language: String(lines[0]), text: String(lines[1]))
        }
    }

    /// Returns commands with their output. Blank lines before the next command are not part of the output.
    private static func transcript(_ text: String) -> [(command: String, output: String)] {
        text.components(separatedBy: "$ ").dropFirst().map { step in
            var lines = step.split(separator: "\n", omittingEmptySubsequences: false)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return (String(lines[0]), lines.dropFirst().map { $0 + "\n" }.joined())
        }
    }
}
