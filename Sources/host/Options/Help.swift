/// The text of `--help`, which is generated from the tables of the commands.
enum Help {
    /// The column in which the second part of a row starts.
    private static let column = 27

    /// Returns the help of a command.
    static func text(for command: any Command.Type) -> String {
        let optional = command.optionalOperands.joined(separator: " ")
        let words =
            command.requiredOperands + (optional.isEmpty ? [] : ["[\(optional)]"])
            + (command.takesParameters ? ["[NAME=VALUE…]"] : []) + ["[OPTIONS]"]
        return wrapped(
            """
            \(command.summary).

            USAGE
              host \(command.name) \(words.joined(separator: " "))

            OPTIONS
            \(command.optionDescriptions.filter { !$0.isHidden }.map(row).joined())
            \(command.details)

            EXAMPLE
              host \(command.example)

            """)
    }

    static func row(_ option: OptionDescription) -> String {
        let notes = (option.isRepeatable ? ["repeatable"] : []) + (option.fallback.map { ["default: \($0)"] } ?? [])
        return row(
            option.names.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? ""),
            option.summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"))
    }

    static func row(_ label: String, _ text: String) -> String {
        let room = column - 2 - label.count
        return "  \(label)\(room > 0 ? "" : "\n")\(spaces(room > 0 ? room : column))\(text)\n"
    }

    /// Returns the text with lines longer than 80 columns broken at spaces.
    static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.hasPrefix("  ") ? spaces(column) : ""
            var (broken, rest) = ("", line)
            while rest.count > 80, let space = rest.prefix(81).dropFirst(indent.count).lastIndex(of: " ") {
                broken += rest[..<space] + "\n"
                rest = indent + rest[rest.index(after: space)...]
            }
            return broken + rest
        }.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
