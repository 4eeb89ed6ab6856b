import HostSystem
import JSONRPC
import ModuleRuntime
import ViperRuntime

/// The answers to the scripts that `host completion` prints. They come from the tables of commands and options, and from
/// the manifests of the root. No module is loaded, and errors give no suggestions.
struct Completion {
    /// A text that the unfinished word may become.
    struct Suggestion {
        var text: String
        var summary = ""

        /// Let the shell suggest files or folders.
        static let files = Self(text: "", summary: "files")
        static let folders = Self(text: "", summary: "folders")
    }

    /// The first argument of the program when a script calls it.
    static let command = "complete-line"

    private let commands: [any Command.Type]
    /// The valid command line before the unfinished word.
    private let given: Arguments
    private var names: RootNames { RootNames(given) }

    /// Returns the suggestions for a command line, or nil if the arguments are those of a command. Each suggestion is a
    /// line with its text and a line with its summary.
    ///
    /// The second argument is the command line up to the cursor. For bash, the third argument is the end of it that bash
    /// will replace. The suggestions then are replacements for this end, quoted as needed. Otherwise, they are whole
    /// words.
    static func answer(to arguments: [String], _ commands: [any Command.Type]) -> String? {
        guard arguments.count > 2, arguments[1] == command else { return nil }
        let line = ShellWords(arguments[2])
        // A character that is unsafe to print could end a line or control the terminal.
        let all = suggestions(for: line.words, commands).filter { printable($0.text) == $0.text }
        let end = arguments.count > 3 ? arguments[3] : nil
        let kept = end.map { ShellWords(String(arguments[2].dropLast($0.count))) }
        return all.compactMap { suggestion in
            var text: String? = suggestion.text
            if let kept, !suggestion.text.isEmpty {
                text = quoted(String(suggestion.text.dropFirst(kept.words.last?.count ?? 0)), in: kept.quote)
            }
            return text.map { "\($0)\n\(printable(suggestion.summary))\n" }
        }.joined()
    }

    /// Returns a text as bash reads it after an open quotation mark, or with backslashes. Returns nil if the text cannot
    /// be in the quotation marks.
    private static func quoted(_ text: String, in quote: Unicode.Scalar?) -> String? {
        if let quote {
            return text.unicodeScalars.contains { quote == "'" ? $0 == "'" : "\"$`\\!".unicodeScalars.contains($0) }
                ? nil : text
        }
        return text.unicodeScalars.map { isPlainInShell($0) ? "\($0)" : "\\\($0)" }.joined()
    }

    private static func suggestions(for words: [String], _ commands: [any Command.Type]) -> [Suggestion] {
        guard let last = words.last, words.count > 1 else { return [] }
        let before = Array(words.dropFirst().dropLast())
        if let given = try? Arguments(before, commands: commands) {
            return Completion(commands, given).suggestions(for: last, isOption: !before.contains("--"))
        }
        // The unfinished word may be the value of an option.
        guard let name = before.last, let given = try? Arguments(before.dropLast(), commands: commands),
            let placeholder = given.command?.optionDescriptions.first(where: { $0.names.contains(name) })?.placeholder
        else { return [] }
        return Completion(commands, given).values(of: placeholder, for: last)
    }

    private init(_ commands: [any Command.Type], _ given: Arguments) {
        (self.commands, self.given) = (commands, given)
    }

    private func suggestions(for word: String, isOption: Bool) -> [Suggestion] {
        let options = (given.command?.optionDescriptions ?? OptionDescription.ofAllCommands).filter { !$0.isHidden }
        if isOption, word.hasPrefix("-") {
            if let equals = word.firstIndex(of: "=") {
                let (name, rest) = (word[..<equals], word[word.index(after: equals)...])
                let placeholder = options.first { $0.names.contains(String(name)) }?.placeholder
                return (placeholder.map { values(of: $0, for: String(rest)) } ?? []).map { value in
                    value.text.isEmpty ? value : Suggestion(text: "\(name)=\(value.text)", summary: value.summary)
                }
            }
            return options.flatMap { option in option.names.map { Suggestion(text: $0, summary: option.summary) } }
                .filter { $0.text.hasPrefix(word) }
        }
        guard let command = given.command else { return values(of: "COMMAND", for: word) }
        let operands = command.requiredOperands + command.optionalOperands
        if operands.indices.contains(given.words.count) {
            return values(of: operands[given.words.count], for: word)
        }
        if !command.takesParameters { return [] }
        let place = operands.firstIndex(of: "ROUTE")
        return names.parameters(ofRoute: place.map { given.words[$0] }, orModule: given.words.first)
            .filter { $0.text.hasPrefix(word) }
    }

    /// Returns the values of an operand or an option that start with a word, such as `MODULE|FILE.so`.
    private func values(of placeholder: String, for word: String) -> [Suggestion] {
        placeholder.split(separator: "|").flatMap { values(ofPart: String($0)) }
            .filter { $0.text.isEmpty || $0.text.hasPrefix(word) }
    }

    private func values(ofPart placeholder: String) -> [Suggestion] {
        switch placeholder {
        case "COMMAND":
            commands.map { Suggestion(text: $0.name, summary: $0.summary) }
                + OptionDescription.words.map { Suggestion(text: $0, summary: $1.summary) }
        case "ROUTE": names.routes
        case "SERVICE": names.services
        case "CODE": ErrorEntry.all.map { Suggestion(text: $0.code) }
        case "MODULE": names.modules
        case "MODULE.KEY=VALUE": names.settings
        case "[MODULE.]SERVICE=PROVIDER": names.choices
        case "CHECK": ModuleCheck.allCases.map { Suggestion(text: $0.rawValue, summary: $0.promise) }
        case "NAME=VALUE": Limits.names.map { Suggestion(text: "\($0)=") }
        case "PATH", "FILE.so", "MANIFEST.json": [.files]
        case "DIR": [.folders]
        // A placeholder in lower case is the value itself.
        case placeholder.lowercased(): [Suggestion(text: placeholder)]
        default: []
        }
    }
}
