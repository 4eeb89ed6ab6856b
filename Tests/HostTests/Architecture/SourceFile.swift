import Foundation
import HostDriver

/// A Swift file of `Sources`, with the names that it declares and uses, as found by a text search.
struct SourceFile {
    /// The target's name.
    let target: String
    /// The folder in the target. Empty for the target's top folder.
    let folder: String
    private(set) var imports: Set<String> = []
    /// Types and functions that other files can use without a prefix.
    private(set) var declared: Set<String> = []
    /// Members that extensions declare for other files.
    private(set) var members: Set<String> = []
    /// The names of all declarations in the file, including those inside types and functions.
    private(set) var allNames: Set<String> = []
    /// Names of types, and names before a parenthesis, that do not follow a dot.
    private(set) var used: Set<String> = []
    /// Names that follow a dot.
    private(set) var selected: Set<String> = []

    private static let keywords: Set = [
        "struct", "class", "enum", "actor", "protocol", "typealias", "func", "let", "var", "case",
    ]

    /// - Parameter path: The path in `Sources`.
    init(path: String, text: String) {
        let parts = path.split(separator: "/").map(String.init)
        target = parts[0]
        folder = parts.dropFirst().dropLast().joined(separator: "/")
        var isInExtension = false
        for line in SourceCode(text).bytes.split(separator: UInt8(ascii: "\n")) {
            let words = Word.words(of: line)
            let indentation = line.prefix { $0 == UInt8(ascii: " ") }.count
            if indentation == 0 {
                isInExtension = words.contains { $0.text == "extension" }
                if let index = words.firstIndex(where: { $0.text == "import" }), index + 1 < words.count {
                    imports.insert(words[index + 1].text)
                }
            }
            readDeclaration(words, indentation, isInExtension)
            for word in words {
                if word.isSelected {
                    selected.insert(word.text)
                } else if word.isCalled || word.text.first?.isUppercase == true {
                    used.insert(word.text)
                }
            }
        }
    }

    /// Returns all files of `Sources` except package manifests and the templates of `host new`, which are separate
    /// targets.
    static func all() throws -> [SourceFile] {
        let root = "\(Products.repository)/Sources"
        return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Package.swift") && !$0.contains(".build") }
            .filter { !$0.hasPrefix("host/New/Templates/") }
            .map { SourceFile(path: $0, text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
    }

    private mutating func readDeclaration(_ words: [Word], _ indentation: Int, _ isInExtension: Bool) {
        for (keyword, name) in zip(words, words.dropFirst()) where Self.keywords.contains(keyword.text) {
            allNames.insert(name.text)
        }
        guard let index = words.firstIndex(where: { Self.keywords.contains($0.text) && !$0.isSelected }),
            index + 1 < words.count
        else { return }
        // private(set) hides nothing.
        if words[..<index].contains(where: { $0.text.hasSuffix("private") && !$0.isCalled }) { return }
        if indentation == 0 {
            declared.insert(words[index + 1].text)
        } else if indentation == 4, isInExtension {
            members.insert(words[index + 1].text)
        }
    }
}

/// A word of a line of code.
private struct Word {
    var text: String
    /// True if the word follows a dot.
    var isSelected: Bool
    /// True if a parenthesis follows the word.
    var isCalled: Bool

    static func words(of line: ArraySlice<UInt8>) -> [Word] {
        var words: [Word] = []
        var index = line.startIndex
        while index < line.endIndex {
            let start = index
            while index < line.endIndex, isLetter(line[index]) { index += 1 }
            if index > start {
                words.append(
                    Word(
                        text: String(decoding: line[start..<index], as: UTF8.self),
                        isSelected: start > line.startIndex && line[start - 1] == UInt8(ascii: "."),
                        isCalled: index < line.endIndex && line[index] == UInt8(ascii: "(")))
            } else {
                index += 1
            }
        }
        return words
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }
}
