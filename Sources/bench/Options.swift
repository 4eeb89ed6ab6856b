import HostSystem

/// The command-line options of `bench`.
struct Options {
    enum Format: String {
        case text, json
    }

    var subjects: Set<String> = []
    var effort = Effort.full
    var format = Format.text
    /// The folder to write the charts to. If nil, no charts are written.
    var plot: String?
    var showsHelp = false

    private static let names = ["--format", "--help", "--plot", "--quick"]

    /// Creates options by parsing the arguments.
    ///
    /// - Parameter known: The names of all subjects.
    /// - Throws: ``Failure``, which names the invalid argument.
    init(_ arguments: [String], subjects known: [String]) throws {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "-h", "--help": showsHelp = true
            case "--quick": effort = .quick
            case "--format":
                let name = try Self.value(of: word, "text|json", &rest)
                guard let format = Format(rawValue: name) else {
                    throw Failure.usage("--format \(name)", "unknown format", fix: "write text or json")
                }
                self.format = format
            case "--plot": plot = try Self.value(of: word, "DIR", &rest)
            default:
                if known.contains(word) {
                    subjects.insert(word)
                } else {
                    throw Self.unknown(word, known)
                }
            }
        }
    }

    private static func value(
        of option: String, _ placeholder: String, _ rest: inout ArraySlice<String>
    ) throws -> String {
        if let value = rest.popFirst(), !value.isEmpty { return value }
        throw Failure.usage(option, "its value is missing", fix: "write \(option) \(placeholder)")
    }

    private static func unknown(_ word: String, _ subjects: [String]) -> Failure {
        let isOption = word.hasPrefix("-")
        let near = nearestNames(to: word, in: isOption ? names : subjects).first
        return .usage(
            word, isOption ? "unknown option" : "unknown subject",
            fix: near.map { "write \($0)" } ?? "see bench --help")
    }
}
