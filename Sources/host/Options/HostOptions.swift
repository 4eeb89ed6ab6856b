import HostSystem
import ModuleCatalog
import ViperKit
import ViperRuntime

/// The options that configure a new host.
struct HostOptions: Sendable {
    var root = RootOptions()
    /// The settings that take precedence over those in the root. All folder paths are absolute.
    var settings = Settings()
    var isVerbose = false

    /// All options. None of them can be combined with `--via`, which selects a running host.
    static let all = common + [isolate, start]

    /// The options of all commands that create a host.
    static let common = inRoot + [data, state, set, use, verbose]

    static let inRoot = RootOptions.all.map { $0.at(\HostOptions.root) }

    static let data = Option<HostOptions>(
        "--data", value: "DIR", summary: "Search this folder for files before the module's resources",
        isRepeatable: true
    ) { options, path throws(ViperError) in options.settings.dataFolders.append(try absolute(path)) }

    static let state = Option<HostOptions>(
        "--state", value: "DIR", summary: "Store the state of modules in this folder",
        fallback: "$XDG_STATE_HOME/viper-host, or ~/.local/state/viper-host"
    ) { options, path throws(ViperError) in options.settings.stateFolder = try absolute(path) }

    static let set = Option<HostOptions>(
        "--set", pair: "MODULE.KEY=VALUE", summary: "Set a key of a module's configuration"
    ) { options, name, text throws(ViperError) in
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else {
            let form = "MODULE.KEY=VALUE"
            throw invalidArgument("--set", "expected \(form)", fix: "write \(form)")
        }
        options.settings.values.append(
            Settings.Value(module: parts[0], key: parts[1], text: text, origin: "--set \(name)"))
    }

    static let use = Option<HostOptions>(
        "--use", pair: "[MODULE.]SERVICE=PROVIDER",
        summary: "Select the provider of a service, for one module or for all"
    ) { $0.settings.providers[$1] = $2 }

    static let verbose = Option<HostOptions>("--verbose", summary: "Log more to standard error") {
        $0.isVerbose = true
    }

    static let start = Option<HostOptions>(
        "--start", value: "ROUTE", summary: "Open this route if none is named",
        fallback: "\"start\" in host.json, or the route that a module contributes"
    ) { $0.settings.start = $1 }

    static let isolate = Option<HostOptions>(
        "--isolate", value: "MODULE", summary: "Run this module in its own process", isRepeatable: true
    ) { $0.settings.isolatedByOption.insert($1) }

    func makeHost() throws(ViperError) -> ViperHost { try ViperHost(configuration()) }

    /// Returns the configuration of a new host. It consists of the settings of the root and those of the options.
    ///
    /// - Parameters:
    ///   - minimum: The minimum level of the host's own log without `--verbose`.
    ///   - modules: The minimum level of the modules' logs without `--verbose`.
    func configuration(
        logging minimum: LogLevel = .warning, modules: LogLevel = .warning
    ) throws(ViperError) -> ViperHost.Configuration {
        let (minimum, modules) = isVerbose ? (.debug, .debug) : (minimum, modules)
        let logger = LineLogger(source: "host", minimum: minimum, modules: modules, write: LogOutput.write)
        var configuration = ViperHost.Configuration(root: try root.find(logger))
        configuration.logger = logger
        configuration.settings = try Settings(reading: configuration.root)
        for (origin, folders) in [
            ("--data", settings.dataFolders), ("\"data\" of host.json", configuration.settings.dataFolders),
        ] {
            for folder in folders where !isFolder(folder) {
                throw ViperError(
                    .dataFolderMissing, operation: "cannot use \(origin)", subject: folder,
                    cause: "it is not a folder", fix: "give the folder that contains the files")
            }
        }
        configuration.settings.dataFolders = settings.dataFolders + configuration.settings.dataFolders
        configuration.settings.stateFolder = settings.stateFolder ?? configuration.settings.stateFolder
        configuration.settings.start = settings.start ?? configuration.settings.start
        configuration.settings.providers.merge(settings.providers) { $1 }
        configuration.settings.servicesChosenInFile.subtract(settings.providers.keys)
        configuration.settings.values += settings.values
        configuration.settings.isolatedByOption = settings.isolatedByOption
        configuration.usesIndex = true
        return configuration
    }
}
