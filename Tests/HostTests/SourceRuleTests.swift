import Foundation
import TestSupport
import Testing

/// Rules of the house that no compiler checks, held against the sources.
struct SourceRuleTests {
    private struct Line: CustomStringConvertible {
        var file: String
        var number: Int
        var text: Substring
        var description: String { "\(file):\(number): \(text)" }
    }

    /// All lines of code in `Sources` and `Plugins`, without comments.
    private static func lines() throws -> [Line] {
        var lines: [Line] = []
        for folder in ["Sources", "Plugins"] {
            let path = "\(Products.repository)/\(folder)"
            for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            where file.hasSuffix(".swift") && !file.contains(".build") {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    let code = line.drop { $0 == " " }
                    if code.hasPrefix("//") { continue }
                    lines.append(Line(file: "\(folder)/\(file)", number: index + 1, text: code))
                }
            }
        }
        return lines
    }

    @Test("no generic container holds a function type: each access would wrap it in two more thunks")
    func functionTypes() throws {
        // `Mutex<(@Sendable (Int) -> Void)?>`, `[() async throws -> Void]`, `[Int: (Int) throws(ViperError) -> Void]`
        let pattern =
            /[<\[](?:[A-Za-z.]+: )?\(*(?:@Sendable |@MainActor )*\([^()\[\]]*\)(?: async)?(?: throws(?:\([A-Za-z]+\))?)? ->/
        let lines = try Self.lines()
        #expect(lines.count > 10_000)
        let found = lines.filter { $0.text.contains(pattern) }
        #expect(found.isEmpty, "box it in a struct: \(found)")
        for example in [
            "Mutex<(@Sendable () -> Void)?>(nil)", "var waiting: [@Sendable (End) -> Void] = []",
            "var late: [Int: @Sendable (MessageContent) async throws(ViperError) -> Void] = [:]",
        ] {
            #expect(example.contains(pattern), "\(example)")
        }
    }

    /// The lines of code with a pattern outside of these files. `Sources/soak` is no part of the host: it drives one from outside.
    private static func lines(with pattern: Regex<Substring>, exceptIn files: Set<String>) throws -> [Line] {
        let found = try lines().filter { !$0.file.hasPrefix("Sources/soak/") && $0.text.contains(pattern) }
        #expect(files.isSubset(of: found.map(\.file)), "the pattern finds what it should")
        return found.filter { !files.contains($0.file) }
    }

    @Test("no input reaches Foundation's decoders but what the scanner has accepted: one file calls them")
    func decoders() throws {
        let found = try Self.lines(
            with: /JSONDecoder|JSONSerialization|PropertyListDecoder|JSON5/,
            exceptIn: ["Sources/ViperRuntime/JSON/JSONText.swift"])
        #expect(found.isEmpty, "decode by JSONText, FoundationJSONCoder or decodeFile: \(found)")
    }

    @Test("all JSON is made harmless to print: one file calls Foundation's encoder")
    func encoders() throws {
        let found = try Self.lines(with: /JSONEncoder/, exceptIn: ["Sources/ViperRuntime/JSON/JSONEncoding.swift"])
        #expect(found.isEmpty, "encode by encodedJSON, renderJSON or FoundationJSONCoder: \(found)")
    }

    @Test("all text is made harmless to print: only these files write without Terminal.write and LogOutput.write")
    func output() throws {
        let found = try Self.lines(
            with:
                /writeVerbatim|\b(?:print|debugPrint|dump|fputs|puts|printf|putchar|fwrite)\(|FileHandle|TextOutputStream/,
            exceptIn: [
                "Sources/host/Terminal.swift", "Sources/host/LogOutput.swift",
                // A line of its own that it draws over, and files.
                "Sources/host/Interactive/Spinner.swift", "Sources/host/New/NewFiles.swift",
            ])
        #expect(found.isEmpty, "print by Terminal.write: \(found)")
    }
}
