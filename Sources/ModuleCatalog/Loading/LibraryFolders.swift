import HostSystem
import ViperKit

/// The open folders that the host searches for libraries: the root's `Plugins/` folder first, then the folder of the
/// host's executable.
struct LibraryFolders {
    /// Nil if the folder is missing.
    let plugins: OpenFolder?
    /// The result contains nil if the folder is missing.
    let executable: Result<OpenFolder?, ViperError>

    /// Opens the folders to search for the libraries of a root.
    ///
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    init(of root: Root) throws(ViperError) {
        plugins = try root.open("Plugins")[0]
        executable = Result { () throws(ViperError) in try root.openExecutableFolder() }
    }
}
