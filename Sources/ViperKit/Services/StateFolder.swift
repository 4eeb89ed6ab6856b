/// A module's own folder for data that outlives the process, such as a database or a cache.
///
/// The folder exists, and only the user who runs the host may read it (mode 0700). `--state DIR` sets its location. The
/// default is `viper-host` in `$XDG_STATE_HOME` or `~/.local/state`.
public struct StateFolder: Sendable, Equatable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// Creates a value for the folder at the given path. The host creates these values; tests may create their own.
    public init(path: String) { self.path = path }
}

extension ServiceKey where Service == StateFolder {
    /// The module's state folder, named `state-folder` in manifests. The host provides this service.
    public static var stateFolder: Self { Self("state-folder") }
}
