import Foundation
import HostDriver
import TestSupport
import Testing

/// A Markdown document of this repository.
struct Document: Sendable, CustomTestStringConvertible {
    /// A fenced block of code.
    struct Block {
        /// The text after the opening fence.
        var language: String
        var text: String
    }

    /// A command and the output shown below it.
    struct Step {
        var command: String
        var output: String
    }

    static let catalogue = "Sources/ViperKit/Documentation.docc"
    static let readme = Document(path: "README.md")
    static let contributing = Document(path: ".github/CONTRIBUTING.md")
    /// The documentation's root page.
    static let root = Document(path: catalogue + "/ViperKit.md")
    /// The pages of the documentation, including the root page.
    static let articles =
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(Products.repository)/\(catalogue)")) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { Document(path: "\(catalogue)/\($0)") }

    /// The path below the repository.
    let path: String

    var testDescription: String { name }
    /// The file's name.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// The folder below the repository. Empty for the repository itself.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
    var file: String { "\(Products.repository)/\(path)" }
    var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

    /// Returns the code blocks in order.
    var blocks: [Block] {
        get throws {
            // Every second part is a block, and its first line is the language.
            let parts = try text.components(separatedBy: "```")
            return parts.enumerated().filter { $0.offset % 2 == 1 }.map { part in
                let lines = part.element.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                return Block(language: String(lines[0]), text: lines.count > 1 ? String(lines[1]) : "")
            }
        }
    }

    /// The text outside the blocks of code.
    var prose: String {
        get throws {
            try text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
        }
    }
}

extension Document.Block {
    /// The commands of a transcript. Blank lines before the next command are separators, not output.
    var steps: [Document.Step] {
        text.components(separatedBy: "$ ").dropFirst().map { step in
            var lines = step.split(separator: "\n", omittingEmptySubsequences: false)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return Document.Step(
                command: String(lines[0]), output: lines.dropFirst().map { $0 + "\n" }.joined())
        }
    }
}
