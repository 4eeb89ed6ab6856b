/// The version of ViperKit, the interface between host and modules.
///
/// A manifest's `sdk` is the version that the module was built for. A host accepts modules with the same major version
/// and the same or an older minor version.
public enum SDK {
    /// The version, as `MAJOR.MINOR`.
    public static var version: String { "1.0" }
}
