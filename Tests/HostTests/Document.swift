import Foundation

/// A text in Markdown, for what stands between its fences.
enum Document {
    struct Block {
        var language: String
        var text: String
    }

    /// The blocks of code, in their order.
    static func blocks(of file: String) throws -> [Block] {
        // Every other part between fences is a block; its first line is its language.
        let parts = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "```")
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { part in
            let lines = part.element.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Block(language: String(lines[0]), text: String(lines[1]))
        }
    }
}
