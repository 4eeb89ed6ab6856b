import Foundation
import HostDriver
import Testing

/// Rules for the sources that the compiler does not check.
struct SourceRuleTests {
    private struct Line: CustomStringConvertible {
        var file: String
        var number: Int
        var text: Substring
        var description: String { "\(file):\(number): \(text)" }
    }

    /// Returns all lines of code in `Sources` and `Plugins`, without comments.
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

    @Test("No generic container holds a function type, because each access would add two thunks")
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

    @Test(
        "No lazy sequence is searched with a closure that reads a file, because it is called twice for the element found"
    )
    func lazySearches() throws {
        let pattern = /\.lazy\.(?:compactMap|filter|map|drop).*\)?\.first\b(?!\()/
        let found = try Self.lines().filter { $0.text.contains(pattern) && !$0.text.contains("nearestNames") }
        #expect(found.isEmpty, "use a loop: if the file disappears between the calls, the host crashes: \(found)")
        for example in ["let x = names.lazy.compactMap { file($0) }.first", "names.lazy.compactMap({ f($0) }).first {"]
        {
            #expect(example.contains(pattern), "\(example)")
        }
    }

    /// The folders of programs that drive or measure the host and are not part of it.
    private static let programs = ["Sources/HostDriver/", "Sources/soak/", "Sources/bench/", "Sources/floor/"]

    /// Returns the lines of the host's code that match a pattern, except in these files.
    private static func lines(with pattern: Regex<Substring>, exceptIn files: Set<String>) throws -> [Line] {
        let found = try lines().filter { line in
            !programs.contains { line.file.hasPrefix($0) } && line.text.contains(pattern)
        }
        #expect(files.isSubset(of: found.map(\.file)), "the pattern finds what it should")
        return found.filter { !files.contains($0.file) }
    }

    @Test("Only one file calls Foundation's decoders, after the scanner has accepted the input")
    func decoders() throws {
        let found = try Self.lines(
            with: /JSONDecoder|JSONSerialization|PropertyListDecoder|JSON5/,
            exceptIn: ["Sources/HostSystem/JSON/JSONText.swift"])
        #expect(found.isEmpty, "decode by JSONText, FoundationJSONCoder or decodeFile: \(found)")
    }

    @Test("Only one file calls Foundation's encoder, and makes its JSON harmless to print")
    func encoders() throws {
        let found = try Self.lines(with: /JSONEncoder/, exceptIn: ["Sources/HostSystem/JSON/JSONEncoding.swift"])
        #expect(found.isEmpty, "encode by encodedJSON, renderJSON or FoundationJSONCoder: \(found)")
    }

    @Test("Only these files write output without Terminal.write and LogOutput.write")
    func output() throws {
        let found = try Self.lines(
            with:
                /writeVerbatim|\b(?:print|debugPrint|dump|fputs|puts|printf|putchar|fwrite)\(|FileHandle|TextOutputStream/,
            exceptIn: [
                "Sources/host/Output/Terminal.swift", "Sources/host/Output/LogOutput.swift",
                // The spinner draws over its own line, and `host new` writes files.
                "Sources/host/Interactive/Spinner.swift", "Sources/host/New/NewFiles.swift",
            ])
        #expect(found.isEmpty, "print by Terminal.write: \(found)")
    }
}
