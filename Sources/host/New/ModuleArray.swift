import FoundationEssentials
import ViperKit

/// The array of bundled modules in this project's `Package.swift`. It begins with `let modules = [`, and each line
/// contains one name.
struct ModuleArray {
    private var lines: [Substring]
    private let place: Range<Int>

    /// Creates a module array from the text of a Package.swift file. Returns nil if the text has no such array.
    init?(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { Self.plain($0).hasPrefix("let modules =") }),
            let open = lines[start...].prefix(3).firstIndex(where: { Self.plain($0).hasSuffix("[") })
        else { return nil }
        let names = lines[(open + 1)...].prefix { Self.name(in: $0) != nil }
        guard names.endIndex < lines.endIndex, Self.plain(lines[names.endIndex]).hasPrefix("]") else { return nil }
        place = names.indices
    }

    var names: [String] { lines[place].compactMap(Self.name) }

    /// Returns the file's text with the name added to the array. If the names are sorted, the new name is inserted in
    /// order. Otherwise, it is added at the end.
    func adding(_ name: String) -> String {
        let isSorted = names == names.sorted()
        let offset = isSorted ? names.count { $0 < name } : names.count
        var lines = lines
        let indentation = place.isEmpty ? "        " : String(lines[place.lowerBound].prefix { $0 == " " })
        lines.insert("\(indentation)\"\(name)\",", at: place.lowerBound + offset)
        return lines.joined(separator: "\n")
    }

    private static func plain(_ line: Substring) -> String {
        String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Returns the name in a line of the form `"Name",`, or nil for any other line.
    private static func name(in line: Substring) -> String? {
        let text = plain(line)
        guard text.hasPrefix("\""), text.hasSuffix("\","), text.count > 3 else { return nil }
        let name = text.dropFirst().dropLast(2)
        return name.allSatisfy { $0.isLetter || $0.isNumber } ? String(name) : nil
    }
}
