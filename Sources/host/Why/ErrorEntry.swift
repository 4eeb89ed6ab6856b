import HostSystem
import ViperKit
import ViperRuntime

/// The entry of an error code in the article ErrorCodes of the documentation, which is embedded in this program.
struct ErrorEntry {
    private static let article = String(decoding: PackageResources.ErrorCodes_md, as: UTF8.self)
    /// The beginning of each entry. The code and a grave accent follow.
    private static let heading = "\n### `"

    let code: String
    /// The text of the entry without its code blocks.
    let meaning: String
    /// The commands and the outputs of the code blocks.
    let example: String

    /// The entries of all codes, in the order of the article.
    static var all: [ErrorEntry] {
        article.split(separator: heading).dropFirst().compactMap { section in
            let text = section.prefix(upTo: section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex)
            guard let end = text.firstIndex(of: "`") else { return nil }
            // Every second part is a block of code, and its first line is the language.
            let parts = text[text.index(after: end)...].split(separator: "```", omittingEmptySubsequences: false)
            let prose = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            let blocks = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            return ErrorEntry(
                code: String(text[..<end]),
                meaning: prose.joined().split(whereSeparator: \.isWhitespace).joined(separator: " "),
                example: blocks.map { $0.drop { $0 != "\n" }.dropFirst() }.joined(separator: "\n"))
        }
    }

    var explanation: Explanation {
        Explanation(
            .code, code, state: "an error code",
            steps: [.init("meaning", meaning)] + (example.isEmpty ? [] : [.init("example", example)]))
    }
}
