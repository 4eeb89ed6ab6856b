import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

extension Help {
    /// Returns the program's help text. If there is a root, the text lists the root's routes.
    static func overview(_ arguments: Arguments, of commands: [any Command.Type]) throws(ViperError) -> String {
        var options = HostOptions()
        try arguments.store(in: &options, HostOptions.all, unsupported: "it requires a command")
        let head = """
            host loads VIPER modules and opens their routes.

            USAGE
              host COMMAND [OPTIONS]

            COMMANDS
            \(commands.map { row(([$0.name] + $0.requiredOperands).joined(separator: " "), $0.summary) }.joined())
            OPTIONS OF MOST COMMANDS
            \(commonOptions(of: commands).map(row).joined())
            host help COMMAND, or host COMMAND --help, shows all options of a command. host version is the same as \
            host --version.

            EXAMPLE
              host run list

            ROUTES

            """
        do {
            let routes = RoutesCommand.table(of: RouteListing(of: try options.makeHost()))
                .text(Terminal.style, width: Terminal.width.map { $0 - 2 })
            return wrapped(head) + routes.split(separator: "\n").map { "  \($0)\n" }.joined()
        } catch {
            guard error.code == .rootMissing, options.root.path == nil else { throw error }
            return wrapped(head) + "  none: \(printable(error).summary)\n"
        }
    }

    /// Returns the options that more than half of the commands support.
    private static func commonOptions(of commands: [any Command.Type]) -> [OptionDescription] {
        let lists = commands.map { $0.optionDescriptions }
        let longest = lists.max { $0.count < $1.count } ?? []
        return longest.filter { option in
            lists.count { $0.contains { $0.names == option.names } } * 2 > commands.count
        }
    }
}
