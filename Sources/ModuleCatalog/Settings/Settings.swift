public import ViperKit

/// What the people who run a host decide about it: on the command line, or once for all in the root's `host.json`.
///
/// Folders are absolute paths.
public struct Settings: Sendable, Equatable {
    /// Folders where modules' file readers look before their own resources, in this order.
    public var dataFolders: [String] = []
    /// Where modules keep what outlives the process. Nil: `viper-host` in `$XDG_STATE_HOME`, else in `~/.local/state`.
    public var stateFolder: String?
    /// Who provides a service that several could: the service's name to the provider's.
    public var providers: [String: String] = [:]
    /// The names of modules that run in a process of their own, beside those whose manifests say so.
    public var isolated: Set<String> = []
    /// The names of environment variables that workers inherit in addition to those that all inherit.
    public var workerEnvironment: Set<String> = []
    /// Values of modules' configuration. Of two for one key the later one counts.
    public var values: [Value] = []

    /// The services that modules may provide in place of the host, each with the name of the host's own provider.
    package static let hostProviders = ["data-provider": "json"]

    /// Settings that decide nothing.
    public init() {}

    /// A value for one key of one module.
    public struct Value: Sendable, Equatable {
        /// The module's name.
        public var module: String
        /// The key, as the module's manifest declares it in `config`.
        public var key: String
        /// What is to be its value.
        public var content: Content
        /// Where this was said, for errors: `--set todo.baseURL`.
        public var origin: String

        /// A value as a person types it, to be read as the type that the manifest declares.
        public init(module: String, key: String, text: String, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .text(text), origin)
        }

        init(module: String, key: String, value: ParameterValue, origin: String) {
            (self.module, self.key, content, self.origin) = (module, key, .value(value), origin)
        }
    }

    /// A value before it is held against the manifest.
    public enum Content: Sendable, Equatable {
        /// Text that means a value of whatever type the manifest declares.
        case text(String)
        /// A value that has a type.
        case value(ParameterValue)
    }
}
