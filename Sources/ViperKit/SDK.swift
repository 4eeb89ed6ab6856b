/// The version of ViperKit, which is the interface between the host and its modules.
///
/// The `sdk` key of a manifest states the version that the module was built for. A host accepts modules with the same
/// major version and the same or an older minor version.
public enum SDK {
    /// The version in the form `MAJOR.MINOR`.
    public static var version: String { "1.1" }
}
