import ViperKit

/// A command of the program. Its properties are the values of its arguments, and its tables of operands and options
/// feed both the parser and the help.
protocol Command: Sendable {
    static var name: String { get }
    /// The command's description in the overview.
    static var summary: String { get }
    /// The arguments for an example command line.
    static var example: String { get }
    /// The part of the help below the options. The help breaks its lines.
    static var details: String { get }
    /// The operands, in order. All required operands come before the optional ones.
    static var operands: [Operand<Self>] { get }
    /// The options in the order in which the help lists them, without `--help` and `--version`.
    static var options: [Option<Self>] { get }
    /// The property for the values of the `NAME=VALUE` arguments, keyed by name. A repeated name has several values.
    /// Nil if the command takes no such arguments.
    static var parameters: (any WritableKeyPath<Self, [String: [String]]> & Sendable)? { get }

    /// The number of threads without which the command could wait forever.
    var threads: Int { get }
    /// True if the command changes files, and ends by ``CleanEnd`` if a signal ends it.
    static var changesFiles: Bool { get }

    init()

    /// Checks the values together, after all arguments have been stored.
    func check() throws(ViperError)

    /// Runs the command and returns what it prints last.
    func output() async throws -> String
}

extension Command {
    static var operands: [Operand<Self>] { [] }
    var threads: Int { 8 }
    static var parameters: (any WritableKeyPath<Self, [String: [String]]> & Sendable)? { nil }

    static var changesFiles: Bool { false }

    /// The names of the required operands.
    static var requiredOperands: [String] { operands.filter(\.isRequired).map(\.name) }

    static var optionalOperands: [String] { operands.filter { !$0.isRequired }.map(\.name) }
    static var takesParameters: Bool { parameters != nil }
    static var optionDescriptions: [OptionDescription] { options.map(\.description) + OptionDescription.ofAllCommands }

    func check() throws(ViperError) {}
}

/// An argument of a command without a name of its own.
struct Operand<Values>: Sendable {
    let name: String
    let isRequired: Bool
    let store: @Sendable (inout Values, String) -> Void

    /// Creates a required operand.
    init(_ name: String, _ property: any WritableKeyPath<Values, String> & Sendable) {
        (self.name, isRequired) = (name, true)
        store = { $0[keyPath: property] = $1 }
    }

    /// Creates an optional operand.
    init(_ name: String, _ property: any WritableKeyPath<Values, String?> & Sendable) {
        (self.name, isRequired) = (name, false)
        store = { $0[keyPath: property] = $1 }
    }
}
