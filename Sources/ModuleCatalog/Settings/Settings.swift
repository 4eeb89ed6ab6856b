public import ViperKit

/// The settings of a host, from the command line or from the root's `host.json`.
///
/// Folders are absolute paths.
public struct Settings: Sendable, Equatable {
    /// The folders that modules' file readers search before the modules' own resources, in this order.
    public var dataFolders: [String] = []
    /// The folder for data that outlives the process. Nil means `$XDG_STATE_HOME/viper-host`, or
    /// `~/.local/state/viper-host` if that variable is unset.
    public var stateFolder: String?
    /// The provider for each service that several modules provide, by the names of the services.
    public var providers: [String: String] = [:]
    /// The names of modules to run in separate processes, in addition to the modules whose manifests request it.
    public var isolated: Set<String> = []
    /// The names of environment variables that workers inherit in addition to the default ones.
    public var workerEnvironment: Set<String> = []
    /// Values for modules' configurations. If a key occurs twice, the later value counts. An array consists of all
    /// values from the command line.
    public var values: [Value] = []

    /// The services that modules may provide in place of the host, each with the name of the host's own provider.
    package static let hostProviders = ["data-provider": "json"]

    public init() {}

    /// A value for one key of one module.
    public struct Value: Sendable, Equatable {
        /// The module's name.
        public var module: String
        /// The key, which the module's manifest declares in `config`.
        public var key: String
        public var content: Content
        /// The origin of the value for errors: `--set todo.baseURL`.
        public var origin: String

        /// Creates a value from the text that a person typed. The manifest determines its type.
        public init(module: String, key: String, text: String, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .text(text), origin)
        }

        init(module: String, key: String, value: ParameterValue, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .value(value), origin)
        }
    }

    /// A value before it is checked against the manifest.
    public enum Content: Sendable, Equatable {
        /// A text to parse as the type that the manifest declares.
        case text(String)
        /// A typed value.
        case value(ParameterValue)
    }
}
