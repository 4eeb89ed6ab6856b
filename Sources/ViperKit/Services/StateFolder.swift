/// A module's own folder for data that outlives the process, such as a database or a cache.
///
/// The host creates the folder. Only the user who runs the host can access it (mode 0700). `--state DIR` sets the
/// folder that contains the state of all modules. The default is `viper-host` in `$XDG_STATE_HOME` or `~/.local/state`.
public struct StateFolder: Sendable, Equatable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// Creates a value for the folder at the given path. The host creates these values, and tests may create their own.
    public init(path: String) { self.path = path }
}

extension ServiceKey where Service == StateFolder {
    /// The module's state folder, named `state-folder` in manifests. The host provides this service.
    public static var stateFolder: Self { Self("state-folder") }
}
