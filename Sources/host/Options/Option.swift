import ViperKit

/// A command-line option, and the function that stores its value in a command or in a part of one.
struct Option<Values>: Sendable {
    /// The option's text on the command line and in the help.
    private(set) var description: OptionDescription
    /// Stores the option's value. The value of a flag is an empty string.
    let store: @Sendable (inout Values, String) throws(ViperError) -> Void

    /// Creates an option without a value.
    init(
        _ names: String..., summary: String, store: @escaping @Sendable (inout Values) throws(ViperError) -> Void
    ) {
        description = OptionDescription(names: names, placeholder: nil, summary: summary)
        self.store = { values, _ throws(ViperError) in try store(&values) }
    }

    /// Creates an option with a value.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder of the value in the help.
    ///   - isRepeatable: True if each use of the option adds a value. Otherwise, the last use determines the value.
    ///   - fallback: The default value, as shown in the help.
    init(
        _ names: String..., value placeholder: String, summary: String, isRepeatable: Bool = false,
        fallback: String? = nil,
        store: @escaping @Sendable (inout Values, String) throws(ViperError) -> Void
    ) {
        description = OptionDescription(
            names: names, placeholder: placeholder, summary: summary, isRepeatable: isRepeatable, fallback: fallback)
        self.store = store
    }

    /// Creates a repeatable option whose value contains an equals sign. The function receives the value's two parts.
    init(
        _ name: String, pair placeholder: String, summary: String,
        store: @escaping @Sendable (inout Values, String, String) throws(ViperError) -> Void
    ) {
        self.init(name, value: placeholder, summary: summary, isRepeatable: true) { values, value throws(ViperError) in
            let (left, right) = try splitPair(value, of: name, placeholder)
            try store(&values, left, right)
        }
    }

    private init(
        _ description: OptionDescription,
        _ store: @escaping @Sendable (inout Values, String) throws(ViperError) -> Void
    ) {
        (self.description, self.store) = (description, store)
    }

    /// Returns the option without its entry in the help, because only other processes of the host use it.
    func hidden() -> Self {
        var option = self
        option.description.isHidden = true
        return option
    }

    /// Returns the option for a command that has the values in one of its properties.
    func at<Whole>(_ property: any WritableKeyPath<Whole, Values> & Sendable) -> Option<Whole> {
        Option<Whole>(description) { [store] whole, value throws(ViperError) in
            try store(&whole[keyPath: property], value)
        }
    }
}

/// The text of an option on the command line and in the help.
struct OptionDescription: Sendable {
    /// The option's names. The last name is the long name.
    var names: [String]
    /// The placeholder for the option's value. Nil for a flag.
    var placeholder: String?
    var summary: String
    /// True if each use of the option adds a value. Otherwise, the last use determines the value.
    var isRepeatable = false
    /// The default value, as shown in the help.
    var fallback: String?
    /// True if the help does not list the option.
    var isHidden = false

    /// The options that all commands support. They show a text instead of running the command.
    static let ofAllCommands = [help, version]
    /// The options that may also be written as a word in place of a command, such as `host help run`.
    static let words = ["help": help, "version": version]
    static let help = OptionDescription(names: ["-h", "--help"], summary: "Show this help")
    static let version = OptionDescription(names: ["--version"], summary: "Show the versions of host and ViperKit")
}
