import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit
import ViperRuntime

/// A command-line option. The parser and the help text both use ``all``.
struct Option: Sendable {
    /// The kind of argument that an option takes, and a function that stores the value in the options.
    enum Argument: Sendable {
        case flag(@Sendable (inout Options) throws(ViperError) -> Void)
        /// The option takes a value. The string is the value's placeholder in the help.
        case value(String, @Sendable (inout Options, String) throws(ViperError) -> Void)
        /// The option takes a value that contains an equals sign. The parser splits the value into two strings at the
        /// equals sign. The first associated string is the value's placeholder in the help.
        case pair(String, @Sendable (inout Options, String, String) throws(ViperError) -> Void)
    }

    /// The option's names. The last name is the long name.
    var names: [String]
    var argument: Argument
    var commands: [Command]
    var summary: String
    /// True if each use of the option adds a value. Otherwise, the last use determines the value.
    var isRepeatable: Bool
    /// True if the option configures a new host. The option is then invalid with `--via`, which selects a running host.
    var configuresHost: Bool
    /// The environment variable that supplies the default value.
    var variable: String?
    /// The default value, as shown in the help. If the option has a variable, this text follows the variable's name.
    var fallback: String?

    /// The placeholder for the option's value in the help. Nil for a flag.
    var placeholder: String? {
        switch argument {
        case .flag: nil
        case .value(let placeholder, _), .pair(let placeholder, _): placeholder
        }
    }
}

extension Option {
    private init(
        _ names: String..., for commands: [Command], _ argument: Argument, _ summary: String,
        isRepeatable: Bool = false, configuresHost: Bool = false, variable: String? = nil, fallback: String? = nil
    ) {
        (self.names, self.argument, self.commands, self.summary) = (names, argument, commands, summary)
        (self.isRepeatable, self.configuresHost) = (isRepeatable, configuresHost)
        (self.variable, self.fallback) = (variable, fallback)
    }

    private static let listings: [Command] = [.routes, .modules, .services]
    private static let hosts = [Command.run, .serve, .dev] + listings
    private static let inRoot = hosts + [.quarantine, .new, .build, .test]

    /// All options, in the order in which the help lists them.
    static let all = [
        Option(
            "--fill", for: [.run, .dev], .pair("FIELD=TEXT") { $0.events.append(.fill(field: $1, text: $2)) },
            "Write text into a field", isRepeatable: true),
        Option(
            "--press", for: [.run, .dev], .value("ACTION") { $0.events.append(.press(action: $1)) },
            "Press an action", isRepeatable: true),
        Option(
            "--select", for: [.run, .dev], .value("ROW") { $0.events.append(.select(row: $1)) },
            "Select a row", isRepeatable: true),
        Option(
            "-i", "--interactive", for: [.run], .flag { $0.isInteractive = true },
            "Then start a session that reads commands, one per line"),
        Option(
            "--socket", for: [.serve], .value("PATH") { $0.socket = $1 }, "Listen on this socket",
            variable: "XDG_RUNTIME_DIR",
            fallback: "/viper-host.sock, or a private folder in $TMPDIR if other users can change that"),
        Option(
            "--stdio", for: [.serve, .test], .flag { $0.isAtStandardIO = true },
            "Serve one client on standard input and output. host test runs each check in such a process."),
        Option(
            "--as-is", for: [.serve], .flag { $0.isAsIs = true },
            "Read the root once, and load libraries without probing them in another process"),
        Option(
            "--owner", for: [.serve], .value("UID", Options.addOwner), "Also trust the files of this user",
            isRepeatable: true),
        Option(
            "--limit", for: [.serve], .pair("NAME=VALUE", Options.setLimit), "Set a limit, see LIMITS",
            isRepeatable: true),
        Option(
            "--isolate", for: [.run, .serve], .value("MODULE") { $0.settings.isolated.insert($1) },
            "Run this module in its own process", isRepeatable: true, configuresHost: true),
        Option("--check", for: [.test], .value("CHECK", Options.addCheck), "Run only this check", isRepeatable: true),
        Option(
            "--time-limit", for: [.test], .value("SECONDS", Options.setTimeLimit), "Limit the time of each check",
            fallback: "60"),
        Option("--package", for: [.new], .value("DIR") { $0.package = $1 }, "Create a package in this folder"),
        Option("--list", for: [.new], .flag(Options.choose(.list)), "Create a list from a JSON file (default)"),
        Option("--form", for: [.new], .flag(Options.choose(.form)), "Create a form that checks and stores its input"),
        Option("--service", for: [.new], .flag(Options.choose(.service)), "Create a data provider without screens"),
        Option(
            "--via", for: [.run] + listings, .value("PATH") { $0.via = $1 }, "Use the host that serves on this socket"),
        Option(
            "--root", for: inRoot,
            .value("DIR") { options, path throws(ViperError) in options.root = try absolute(path) }, "Use this root",
            configuresHost: true, variable: "VIPER_ROOT", fallback: ", or the nearest folder with Manifests"),
        Option(
            "--trust-permissions", for: inRoot, .flag { $0.trustsPermissions = true },
            "Use files that other users could have changed, with a warning for each", configuresHost: true),
        Option(
            "--data", for: hosts + [.test],
            .value("DIR") { options, path throws(ViperError) in
                options.settings.dataFolders.append(try absolute(path))
            }, "Search this folder for files before the module's resources", isRepeatable: true, configuresHost: true),
        Option(
            "--state", for: hosts + [.quarantine],
            .value("DIR") { options, path throws(ViperError) in options.settings.stateFolder = try absolute(path) },
            "Store the state of modules in this folder", configuresHost: true,
            variable: "XDG_STATE_HOME", fallback: "/viper-host, or ~/.local/state/viper-host"),
        Option(
            "--set", for: hosts + [.test], .pair("MODULE.KEY=VALUE", Options.addSetting),
            "Set a key of a module's configuration", isRepeatable: true, configuresHost: true),
        Option(
            "--use", for: hosts + [.test], .pair("SERVICE=PROVIDER") { $0.settings.providers[$1] = $2 },
            "Select the provider of a service", isRepeatable: true, configuresHost: true),
        Option(
            "--format", for: listings + [.run, .dev, .quarantine, .test, .inspect],
            .value("text|json", Options.setFormat), "Select the format of the output", fallback: "text"),
        Option(
            "--verbose", for: hosts + [.quarantine], .flag { $0.isVerbose = true }, "Log more to standard error",
            configuresHost: true),
        Option("-h", "--help", for: Command.allCases, .flag { $0.showsHelp = true }, "Show this help"),
        Option(
            "--version", for: Command.allCases, .flag { $0.showsVersion = true },
            "Show the versions of host and ViperKit"),
    ]
}
