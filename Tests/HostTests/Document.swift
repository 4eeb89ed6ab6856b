import Foundation

enum Document {
    struct Block {
        var language: String
        var text: String
    }

    /// Returns the code blocks in order.
    static func blocks(of file: String) throws -> [Block] {
        // Every second part is a block, and its first line is the language.
        let parts = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "```")
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { part in
            let lines = part.element.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Block(language: String(lines[0]), text: String(lines[1]))
        }
    }
}
