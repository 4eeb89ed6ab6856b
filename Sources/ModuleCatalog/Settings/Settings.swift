package import ViperKit

/// A host's settings, from the command line or from the root's `host.json`.
///
/// All folder paths are absolute.
package struct Settings: Sendable, Equatable {
    /// The folders that modules' file readers search before the modules' own resources, in this order.
    package var dataFolders: [String] = []
    /// The folder for data that outlives the process. Nil means `$XDG_STATE_HOME/viper-host`, or
    /// `~/.local/state/viper-host` if that variable is unset.
    package var stateFolder: String?
    /// The chosen provider for each service that several modules provide, keyed by service name, or by `MODULE.SERVICE` for
    /// one module.
    package var providers: [String: String] = [:]
    /// The routes that modules guard, keyed by module. Each is a route's name, or `people/*` for all routes below
    /// `people`.
    package var guards: [String: [String]] = [:]
    /// The keys of ``providers`` that come from `host.json`. For these, an unknown provider is a warning instead of an
    /// error.
    package var servicesChosenInFile: Set<String> = []
    /// The route that the host opens if none is named. Parameters may follow it, as in `people?olderThan=40`. Nil for the
    /// route that a module contributes to the point `start`.
    package var start: String?
    /// The names of the modules to run in separate processes, in addition to modules whose manifests request isolation.
    package var isolated: Set<String> = []
    /// The names of the modules that the host leaves out.
    package var disabled: Set<String> = []
    /// The names of the modules that `--isolate` runs in separate processes. Unlike a name in ``isolated``, an unknown
    /// name is an error.
    package var isolatedByOption: Set<String> = []
    /// The names of the environment variables that workers inherit, in addition to the default variables.
    package var workerEnvironment: Set<String> = []
    /// The values for modules' configurations. If a key occurs more than once, the last value is used. For an array,
    /// all values from the command line are combined.
    package var values: [Value] = []

    /// The names of the host's own providers, keyed by service name. A module may provide these services instead of the
    /// host.
    package static let hostProviders = ["data-provider": "json"]

    /// Returns true if the settings run a module in a separate process.
    package func isolates(_ module: String) -> Bool { isolated.contains(module) || isolatedByOption.contains(module) }

    /// Returns the parts of a key of ``providers``. The module is nil if the choice is for all modules.
    package static func parts(ofChoice key: String) -> (module: String?, service: String) {
        guard let dot = key.firstIndex(of: ".") else { return (nil, key) }
        return (String(key[..<dot]), String(key[key.index(after: dot)...]))
    }

    /// Creates empty settings.
    package init() {}

    /// A value for one configuration key of one module.
    package struct Value: Sendable, Equatable {
        /// The module's name.
        package var module: String
        /// The key, which the module's manifest declares in `config`.
        package var key: String
        /// The value before it is checked.
        package var content: Content
        /// The value's origin to show in errors, such as `--set todo.baseURL`.
        package var origin: String

        /// Creates a value from a string that the user typed. The manifest determines the type of the value.
        package init(module: String, key: String, text: String, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .text(text), origin)
        }

        init(module: String, key: String, value: ParameterValue, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .value(value), origin)
        }
    }

    /// A value before it is checked against the manifest.
    package enum Content: Sendable, Equatable {
        /// A string. It is parsed as the type that the manifest declares.
        case text(String)
        /// A value that already has a type.
        case value(ParameterValue)
    }
}
