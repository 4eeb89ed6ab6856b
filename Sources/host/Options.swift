import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit
import ViperRuntime

struct Options {
    enum Format: String, CaseIterable { case text, json }

    var command: Command?
    var operands: [String] = []
    /// The `NAME=VALUE` arguments.
    var parameters: [String: String] = [:]
    /// The events to perform on the screen, in order.
    var events: [Event] = []
    /// The root as an absolute path. The folders in `settings` are absolute too.
    var root: String?
    /// True to use files that other users could have changed.
    var trustsPermissions = false
    /// Additional user IDs whose files are trusted.
    var owners: Set<UInt32> = []
    var settings = Settings()
    var format = Format.text
    /// The checks to run. Empty for all.
    var checks: [ModuleCheck] = []
    /// The time limit of each check, in seconds.
    var timeLimit = 60.0
    var isInteractive = false
    /// The folder of a new package. Nil to add the module to this repository.
    var package: String?
    /// The kind of module that `new` creates. Nil for the default.
    var kind: ModuleTemplate.Kind?
    /// The socket of the host to ask. Nil to create a host.
    var via: String?
    /// The socket that `serve` listens at. Nil for the standard path.
    var socket: String?
    /// True if `serve` serves one client, or `test` answers one check, on standard input and output.
    var isAtStandardIO = false
    /// True if `serve` reads the root once and tries no library in another process.
    var isAsIs = false
    var limits = Limits()
    var isVerbose = false
    var showsHelp = false
    var showsVersion = false

    private var given: [Option] = []

    /// Parses the arguments.
    ///
    /// - Throws: `usage`, which names the invalid argument.
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
                command.rawValue, "it needs \(command.operands[operands.count])",
                mend: "write host \(usage)\(command == .run ? "; host routes lists them" : "")")
        }
        if let idle = given.first(where: { !command.options.union(Option.everywhere).contains($0) }) {
            throw Self.wrong(idle.rawValue, "host \(command.rawValue) does nothing with it", mend: "leave it out")
        }
        if via != nil, let idle = given.first(where: Option.ofHost.contains) {
            throw Self.wrong(idle.rawValue, "the host of --via has its own", mend: "leave it out, or --via")
        }
        if isAtStandardIO, socket != nil {
            throw Self.wrong("--socket", "--stdio serves at no socket", mend: "leave one out")
        }
    }

    private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(ViperError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = Option(rawValue: name) else {
            let near = nearestNames(to: name, in: Option.allCases.map(\.rawValue)).first
            throw Self.wrong(name, "there is no such option", mend: near.map { "write \($0)" } ?? "see host --help")
        }
        given.append(option)
        if !option.takesValue {
            if parts.count > 1 { throw Self.wrong(name, "it takes no value", mend: "write \(name) alone") }
            try set(option)
            return
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw Self.wrong(name, "it needs a value", mend: "write \(name) \(option.placeholder)")
        }
        if value.isEmpty { throw Self.wrong(name, "its value is empty", mend: "write \(name) \(option.placeholder)") }
        try set(option, to: value)
    }

    private mutating func set(_ flag: Option) throws(ViperError) {
        switch flag {
        case .help, .h: showsHelp = true
        case .version: showsVersion = true
        case .interactive, .i: isInteractive = true
        case .stdio: isAtStandardIO = true
        case .asIs: isAsIs = true
        case .trustPermissions: trustsPermissions = true
        case .list: try choose(.list)
        case .form: try choose(.form)
        case .service: try choose(.service)
        default: isVerbose = true
        }
    }

    private mutating func choose(_ kind: ModuleTemplate.Kind) throws(ViperError) {
        if let other = self.kind, other != kind {
            throw Self.wrong(
                "--\(kind.rawValue)", "a module is of one kind, and --\(other.rawValue) is given too",
                mend: "leave one out")
        }
        self.kind = kind
    }

    private mutating func set(_ option: Option, to value: String) throws(ViperError) {
        switch option {
        case .root: root = try absolute(value)
        case .package: package = value
        case .via: via = value
        case .socket: socket = value
        case .limit:
            let (name, number) = try Self.pair(value, of: "--limit", "NAME=VALUE")
            if !limits.set(name, to: number) {
                let all = Limits.names.joined(separator: ", ")
                let mend = "write one of \(all), and a number above 0"
                throw Self.wrong("--limit \(value)", "there is no such limit, or it cannot be that", mend: mend)
            }
        case .data: settings.dataFolders.append(try absolute(value))
        case .state: settings.stateFolder = try absolute(value)
        case .isolate: settings.isolated.insert(value)
        case .owner:
            guard let owner = UInt32(value) else {
                throw Self.wrong(
                    "--owner \(value)", "it is no number of a user", mend: "write the number that id -u prints")
            }
            owners.insert(owner)
        case .use:
            let (service, provider) = try Self.pair(value, of: "--use", "SERVICE=PROVIDER")
            settings.providers[service] = provider
        case .set: settings.values.append(try Self.setting(value))
        case .press: events.append(.press(action: value))
        case .select: events.append(.select(row: value))
        case .fill:
            let (field, text) = try Self.pair(value, of: "--fill", "FIELD=TEXT")
            events.append(.fill(field: field, text: text))
        case .check:
            guard let check = ModuleCheck(rawValue: value) else {
                let all = ModuleCheck.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.wrong("--check \(value)", "there is no such check", mend: "write one of \(all)")
            }
            checks.append(check)
        case .timeLimit:
            guard let seconds = Double(value), seconds > 0, seconds <= 86_400 else {
                throw Self.wrong("--time-limit \(value)", "it is no number of seconds up to a day", mend: "write 60")
            }
            timeLimit = seconds
        default:
            guard let format = Format(rawValue: value) else {
                throw Self.wrong("--format \(value)", "there is no such format", mend: "write text or json")
            }
            self.format = format
        }
    }

    private mutating func takeWord(_ word: String) throws(ViperError) {
        if command == nil {
            guard let command = Command(rawValue: word) else {
                let near = nearestNames(to: word, in: Command.allCases.map(\.rawValue)).first
                throw Self.wrong(
                    word, "there is no such command", mend: near.map { "write \($0)" } ?? "see host --help")
            }
            self.command = command
        } else if let command, operands.count < command.operands.count + command.optionalOperands {
            operands.append(word)
        } else if command?.takesParameters == true {
            let (name, value) = try Self.pair(word, of: word, "NAME=VALUE")
            if parameters.updateValue(value, forKey: name) != nil {
                throw Self.wrong(name, "it is given twice", mend: "give it once")
            }
        } else {
            let more = operands.isEmpty ? "" : "more "
            throw Self.wrong(word, "\(command?.rawValue ?? "") takes no \(more)words", mend: "leave it out")
        }
    }

    private static func pair(
        _ text: String, of subject: String, _ form: String
    ) throws(ViperError) -> (String, String) {
        guard let separator = text.firstIndex(of: "="), separator != text.startIndex else {
            throw wrong(subject, "it is not of the form \(form)", mend: "write \(form)")
        }
        return (String(text[..<separator]), String(text[text.index(after: separator)...]))
    }

    private static func setting(_ text: String) throws(ViperError) -> Settings.Value {
        let form = "MODULE.KEY=VALUE"
        let (name, value) = try pair(text, of: "--set", form)
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else {
            throw wrong("--set", "it is not of the form \(form)", mend: "write \(form)")
        }
        return Settings.Value(module: parts[0], key: parts[1], text: value, origin: "--set \(name)")
    }

    private static func wrong(_ subject: String, _ cause: String, mend: String) -> ViperError {
        ViperError(.usage, "cannot understand", subject, cause: cause, mend: mend)
    }
}
