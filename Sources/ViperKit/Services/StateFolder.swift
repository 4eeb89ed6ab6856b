/// A folder of the module's own for what outlives the process: a database, a cache.
///
/// It exists, and only the user who runs the host may read it (mode 0700). Where it is, `--state DIR` or `$XDG_STATE_HOME` decide.
public struct StateFolder: Sendable, Equatable {
    /// An absolute path without a slash at the end.
    public let path: String

    /// A folder at this path. The host makes it; a test makes its own.
    public init(path: String) { self.path = path }
}

extension ServiceKey where Service == StateFolder {
    /// The module's state folder, `state-folder` in manifests. The host provides it.
    public static var stateFolder: Self { Self("state-folder") }
}
