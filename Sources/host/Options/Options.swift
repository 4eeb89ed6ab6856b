import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit
import ViperRuntime

struct Options {
    enum Format: String, CaseIterable { case text, json }

    var command: Command?
    var operands: [String] = []
    /// The values of the `NAME=VALUE` arguments, keyed by name. A repeated name has several values.
    var parameters: [String: [String]] = [:]
    /// The events to perform on the screen, in order.
    var events: [Event] = []
    /// The absolute path of the root, or nil if `--root` is not given. The folder paths in `settings` are also
    /// absolute.
    var root: String?
    /// True to use files even if other users could have changed them.
    var trustsPermissions = false
    /// Additional user IDs whose files are trusted.
    var owners: Set<UInt32> = []
    var settings = Settings()
    var format = Format.text
    /// The checks to run. If empty, all checks run.
    var checks: [ModuleCheck] = []
    /// The time limit for each check, in seconds.
    var timeLimit = 60.0
    var isInteractive = false
    /// The folder of a new package. If nil, `new` adds the module to a checkout of this project.
    var package: String?
    /// The kind of module that `new` creates. If nil, the kind is ``TemplateKind/list``.
    var kind: TemplateKind?
    /// The socket of a running host to use. If nil, the command creates a host.
    var via: String?
    /// The socket on which `serve` listens. If nil, the standard path is used.
    var socket: String?
    /// True if the command uses standard input and output for a protocol. In this case, `serve` serves a single client,
    /// and `test` runs a single check.
    var isAtStandardIO = false
    /// True if `serve` reads the root once, and loads libraries without probing them in another process.
    var isAsIs = false
    var limits = Limits()
    var isVerbose = false
    var showsHelp = false
    var showsVersion = false

    /// The options that were given, in order, with the names that were used.
    private var given: [(name: String, option: Option)] = []

    /// Creates options by parsing the arguments.
    ///
    /// - Throws: `usage`, with the invalid argument as the subject.
    init(parsing arguments: [String]) throws(ViperError) {
        var rest = arguments[...]
        var areOptionsOver = false
        while let argument = rest.popFirst() {
            if argument == "--", !areOptionsOver {
                areOptionsOver = true
            } else if argument.hasPrefix("-"), argument != "-", !areOptionsOver {
                try takeOption(argument, &rest)
            } else {
                try takeWord(argument)
            }
        }
        if !showsHelp, !showsVersion { try check() }
    }

    private func check() throws(ViperError) {
        guard let command else { return }
        if operands.count < command.operands.count {
            let usage = ([command.rawValue] + command.operands).joined(separator: " ")
            throw Self.wrong(
                command.rawValue, "\(command.operands[operands.count]) is missing",
                fix: "write host \(usage)\(command == .run ? "; host routes lists all routes" : "")")
        }
        if let unused = given.first(where: { !$0.option.commands.contains(command) }) {
            throw Self.wrong(
                unused.name, "host \(command.rawValue) does not support it", fix: "remove it")
        }
        if via != nil, let unused = given.first(where: \.option.configuresHost) {
            throw Self.wrong(unused.name, "it cannot be combined with --via", fix: "remove one of them")
        }
        if isAtStandardIO, socket != nil {
            throw Self.wrong("--socket", "it cannot be combined with --stdio", fix: "remove one of them")
        }
    }

    private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(ViperError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = Option.all.first(where: { $0.names.contains(name) }) else {
            let near = nearestNames(to: name, in: Option.all.flatMap(\.names)).first
            throw Self.wrong(
                name, "unknown option", fix: near.map { "write \($0)" } ?? "see host --help")
        }
        given.append((name, option))
        guard let placeholder = option.placeholder else {
            if parts.count > 1 {
                throw Self.wrong(name, "it takes no value", fix: "write \(name) alone")
            }
            return try store("", of: name, in: option)
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw Self.wrong(name, "its value is missing", fix: "write \(name) \(placeholder)")
        }
        if value.isEmpty {
            throw Self.wrong(name, "its value is empty", fix: "write \(name) \(placeholder)")
        }
        try store(value, of: name, in: option)
    }

    private mutating func store(_ value: String, of name: String, in option: Option) throws(ViperError) {
        switch option.argument {
        case .flag(let set): try set(&self)
        case .value(_, let set): try set(&self, value)
        case .pair(let form, let set):
            let (left, right) = try Self.pair(value, of: name, form)
            try set(&self, left, right)
        }
    }

    private mutating func takeWord(_ word: String) throws(ViperError) {
        guard let command else {
            command = Command(rawValue: word)
            if command != nil { return }
            let near = nearestNames(to: word, in: Command.allCases.map(\.rawValue)).first
            throw Self.wrong(
                word, "unknown command", fix: near.map { "write \($0)" } ?? "see host --help")
        }
        if operands.count < command.operands.count + command.optionalOperands.count {
            operands.append(word)
        } else if command.takesParameters {
            let (name, value) = try Self.pair(word, of: word, "NAME=VALUE")
            parameters[name, default: []].append(value)
        } else {
            let more = operands.isEmpty ? "" : "more "
            throw Self.wrong(
                word, "host \(command.rawValue) takes no \(more)arguments", fix: "remove it")
        }
    }

    private static func pair(
        _ text: String, of subject: String, _ form: String
    ) throws(ViperError) -> (String, String) {
        guard let separator = text.firstIndex(of: "="), separator != text.startIndex else {
            throw wrong(subject, "expected \(form)", fix: "write \(form)")
        }
        return (String(text[..<separator]), String(text[text.index(after: separator)...]))
    }

    fileprivate static func wrong(_ subject: String, _ cause: String, fix: String) -> ViperError {
        ViperError(.usage, operation: "cannot parse", subject: subject, cause: cause, fix: fix)
    }
}

/// The functions that validate an option's value and store it. The table ``Option/all`` refers to them.
extension Options {
    static func choose(_ kind: TemplateKind) -> @Sendable (inout Options) throws(ViperError) -> Void {
        { options throws(ViperError) in
            if let other = options.kind, other != kind {
                throw wrong(
                    "--\(kind.rawValue)", "it cannot be combined with --\(other.rawValue)",
                    fix: "remove one of them")
            }
            options.kind = kind
        }
    }

    static func setLimit(_ options: inout Options, _ name: String, _ number: String) throws(ViperError) {
        if options.limits.set(name, to: number) { return }
        throw wrong(
            "--limit \(name)=\(number)", "unknown limit or invalid number",
            fix: "write one of \(Limits.names.joined(separator: ", ")), with a number above 0")
    }

    static func addOwner(_ options: inout Options, _ text: String) throws(ViperError) {
        guard let owner = UInt32(text) else {
            throw wrong(
                "--owner \(text)", "expected a user ID", fix: "write the number that id -u prints"
            )
        }
        options.owners.insert(owner)
    }

    static func addSetting(_ options: inout Options, _ name: String, _ text: String) throws(ViperError) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else {
            let form = "MODULE.KEY=VALUE"
            throw wrong("--set", "expected \(form)", fix: "write \(form)")
        }
        options.settings.values.append(
            Settings.Value(module: parts[0], key: parts[1], text: text, origin: "--set \(name)"))
    }

    static func addCheck(_ options: inout Options, _ name: String) throws(ViperError) {
        guard let check = ModuleCheck(rawValue: name) else {
            let all = ModuleCheck.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong("--check \(name)", "unknown check", fix: "write one of \(all)")
        }
        options.checks.append(check)
    }

    static func setTimeLimit(_ options: inout Options, _ text: String) throws(ViperError) {
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw wrong(
                "--time-limit \(text)", "expected seconds above 0, up to 86400",
                fix: "write a number such as 60")
        }
        options.timeLimit = seconds
    }

    static func setFormat(_ options: inout Options, _ name: String) throws(ViperError) {
        guard let format = Format(rawValue: name) else {
            throw wrong("--format \(name)", "unknown format", fix: "write text or json")
        }
        options.format = format
    }
}
