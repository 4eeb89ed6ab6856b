import HostSystem
import ViperKit

/// The arguments of a command line, split into a command, words and options.
struct Arguments {
    private(set) var command: (any Command.Type)?
    /// The arguments after the command that are not options.
    private(set) var words: [String] = []
    /// The options in the given order, with the names that were used.
    private(set) var options: [(name: String, description: OptionDescription, value: String)] = []

    var showsHelp: Bool { has(.help) }
    var showsVersion: Bool { has(.version) }

    private func has(_ option: OptionDescription) -> Bool { options.contains { option.names.contains($0.name) } }

    /// Splits the arguments.
    ///
    /// - Throws: `usage` if an argument is not a command or an option of one of the commands, or an option has a value
    ///   too many or too few. The invalid argument is the subject.
    init(_ arguments: [String], commands: [any Command.Type]) throws(ViperError) {
        var rest = arguments[...]
        var areOptionsOver = false
        while let argument = rest.popFirst() {
            if argument == "--", !areOptionsOver {
                areOptionsOver = true
            } else if argument.hasPrefix("-"), argument != "-", !areOptionsOver {
                try addOption(argument, &rest, commands)
            } else if command != nil {
                words.append(argument)
            } else if let option = OptionDescription.words[argument] {
                options.append((option.names[option.names.count - 1], option, ""))
            } else {
                command = try Self.command(argument, commands)
            }
        }
    }

    private static func command(
        _ word: String, _ commands: [any Command.Type]
    ) throws(ViperError) -> any Command.Type {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let near = nearestNames(to: word, in: commands.map { $0.name } + OptionDescription.words.keys).first
        throw invalidArgument(
            word, "unknown command",
            fix: near.map { "write \($0)" } ?? "see host --help; to open a route, write host run \(word)")
    }

    private mutating func addOption(
        _ argument: String, _ rest: inout ArraySlice<String>, _ commands: [any Command.Type]
    ) throws(ViperError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        let description = try description(of: name, commands)
        guard let placeholder = description.placeholder else {
            if parts.count > 1 { throw invalidArgument(name, "it takes no value", fix: "write \(name) alone") }
            options.append((name, description, ""))
            return
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw invalidArgument(name, "its value is missing", fix: "write \(name) \(placeholder)")
        }
        if value.isEmpty { throw invalidArgument(name, "its value is empty", fix: "write \(name) \(placeholder)") }
        options.append((name, description, value))
    }

    /// Returns the description of an option. If the option's command is not known yet, or does not support the option,
    /// the other commands say whether it takes a value.
    private func description(
        of name: String, _ commands: [any Command.Type]
    ) throws(ViperError) -> OptionDescription {
        // Comes first, so that the version is printed without making the table of any command.
        if let option = OptionDescription.ofAllCommands.first(where: { $0.names.contains(name) }) { return option }
        for command in (command.map { [$0] } ?? []) + commands {
            if let option = command.optionDescriptions.first(where: { $0.names.contains(name) }) { return option }
        }
        let names = Set(commands.flatMap { $0.optionDescriptions.flatMap(\.names) })
        let near = nearestNames(to: name, in: names).first
        throw invalidArgument(
            name, "unknown option",
            fix: near.map { "write \($0)" } ?? "see host \(command.map { "\($0.name) " } ?? "")--help")
    }

    /// Stores the values of the options, except for `--help` and `--version`.
    ///
    /// - Throws: `usage` if the table does not have an option, with the cause `unsupported`, or if a value is invalid.
    func store<Values>(
        in values: inout Values, _ table: [Option<Values>], unsupported: String
    ) throws(ViperError) {
        for given in options where !OptionDescription.ofAllCommands.contains(where: { $0.names.contains(given.name) }) {
            guard let option = table.first(where: { $0.description.names.contains(given.name) }) else {
                throw invalidArgument(given.name, unsupported, fix: "remove it")
            }
            try option.store(&values, given.value)
        }
    }
}

extension Command {
    /// Creates a command from its arguments.
    ///
    /// - Throws: `usage`, with the invalid argument as the subject.
    init(_ arguments: Arguments) throws(ViperError) {
        self.init()
        let required = Self.requiredOperands
        if arguments.words.count < required.count {
            let usage = ([Self.name] + required).joined(separator: " ")
            throw invalidArgument(
                Self.name, "\(required[arguments.words.count]) is missing",
                fix: "write host \(usage)")
        }
        for (operand, word) in zip(Self.operands, arguments.words) { operand.store(&self, word) }
        for word in arguments.words.dropFirst(Self.operands.count) {
            guard let parameters = Self.parameters else {
                let more = Self.operands.isEmpty ? "" : "more "
                throw invalidArgument(word, "host \(Self.name) takes no \(more)arguments", fix: "remove it")
            }
            let (name, value) = try splitPair(word, of: word, "NAME=VALUE")
            self[keyPath: parameters][name, default: []].append(value)
        }
        try arguments.store(in: &self, Self.options, unsupported: "host \(Self.name) does not support it")
        if arguments.options.contains(where: { $0.name == "--via" }),
            let unused = arguments.options.first(where: { given in
                HostOptions.all.contains { $0.description.names.contains(given.name) }
            })
        {
            throw invalidArgument(unused.name, "it cannot be combined with --via", fix: "remove one of them")
        }
        try check()
    }
}

/// Splits a text at its first equals sign.
///
/// - Throws: `usage` with this subject if there is no equals sign, or no text before it.
func splitPair(_ text: String, of subject: String, _ form: String) throws(ViperError) -> (String, String) {
    guard let separator = text.firstIndex(of: "="), separator != text.startIndex else {
        throw invalidArgument(subject, "expected \(form)", fix: "write \(form)")
    }
    return (String(text[..<separator]), String(text[text.index(after: separator)...]))
}

func invalidArgument(_ argument: String, _ cause: String, fix: String) -> ViperError {
    ViperError(.usage, operation: "cannot parse", subject: argument, cause: cause, fix: fix)
}
