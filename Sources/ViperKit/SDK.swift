/// The version of this ViperKit, the interface between host and modules.
///
/// A manifest names the version that its module was built for in `"sdk"`. A host accepts a module of the same major
/// version and of the same or an older minor version.
public enum SDK {
    /// The version as `MAJOR.MINOR`.
    public static var version: String { "1.1" }
}
