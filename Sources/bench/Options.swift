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

    /// Creates options by parsing the arguments. Returns nil if an argument is unknown.
    ///
    /// - Parameter known: The names of all subjects.
    init?(_ arguments: [String], subjects known: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--quick": effort = .quick
            case "--format":
                guard let format = rest.popFirst().flatMap(Format.init) else { return nil }
                self.format = format
            case "--plot":
                guard let folder = rest.popFirst() else { return nil }
                plot = folder
            default:
                guard known.contains(word) else { return nil }
                subjects.insert(word)
            }
        }
    }

    static func usage(_ subjects: [String]) -> String {
        "usage: bench [\(subjects.joined(separator: "|"))…] [--quick] [--format text|json] [--plot DIR]"
    }
}
