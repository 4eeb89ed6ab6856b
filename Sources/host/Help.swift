import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit
import ViperRuntime

/// The text of `--help`. It is generated from the tables of commands and options.
enum Help {
    /// The column in which the second part of a row starts.
    private static let column = 27

    /// Returns the program's help text. If there is a root, the text lists the root's routes.
    static func overview(_ options: Options) throws(ViperError) -> String {
        let common = Option.all.filter { $0.commands.count * 2 > Command.allCases.count }
        let head = """
            host loads VIPER modules and opens their routes.

            USAGE
              host COMMAND [OPTIONS]

            COMMANDS
            \(Command.allCases.map { row(([$0.rawValue] + $0.operands).joined(separator: " "), $0.summary) }.joined())
            OPTIONS OF MOST COMMANDS
            \(common.map(row).joined())
            host COMMAND --help shows all options of a command.

            EXAMPLE
              host run list

            ROUTES

            """
        do {
            let routes = RoutesCommand.text(of: RouteListing(of: try options.makeHost()))
            return wrapped(head) + routes.split(separator: "\n").map { "  \($0)\n" }.joined()
        } catch {
            guard error.code == .rootMissing, options.root == nil else { throw error }
            return wrapped(head) + "  none: \(printable(error).summary)\n"
        }
    }

    static func text(for command: Command) -> String {
        let optional = command.optionalOperands.isEmpty ? [] : ["[\(command.optionalOperands.joined(separator: " "))]"]
        let words = command.operands + optional + (command.takesParameters ? ["[NAME=VALUE…]"] : []) + ["[OPTIONS]"]
        return wrapped(
            """
            \(command.summary).

            USAGE
              host \(command.rawValue) \(words.joined(separator: " "))

            OPTIONS
            \(command.options.map(row).joined())
            \(details(of: command))

            EXAMPLE
              host \(command.example)

            """)
    }

    private static func row(_ option: Option) -> String {
        let origin = [option.variable.map { "$\($0)" }, option.fallback].compactMap(\.self).joined()
        let notes = (option.isRepeatable ? ["repeatable"] : []) + (origin.isEmpty ? [] : ["default: \(origin)"])
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
