/// A module's own folder for data that outlives the process, such as a database or a cache.
///
/// The folder exists, and only the user who runs the host may read it (mode 0700). It lies in the folder that `--state`
/// specifies, or in the default state folder, which follows `$XDG_STATE_HOME`.
public struct StateFolder: Sendable, Equatable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// Creates a value for the folder at the given path. The host creates these values; tests may create their own.
    public init(path: String) { self.path = path }
}

extension ServiceKey where Service == StateFolder {
    /// The module's state folder. `state-folder` in manifests. The host provides this service.
    public static var stateFolder: Self { Self("state-folder") }
}
