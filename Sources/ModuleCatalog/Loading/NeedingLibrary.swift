/// A library whose needed libraries are found in its search paths.
struct NeedingLibrary {
    var name: String
    var needs: ElfFile.Needs
    /// The folder that replaces `$ORIGIN`. Nil if it is unknown.
    var origin: String?
    /// The search paths of the libraries that need this library, which DT_RPATH passes on.
    var inherited: [String] = []

    /// The folders that the dynamic linker searches for the libraries that this library needs.
    var folders: [String] { ownFolders + (needs.passesSearchPathsOn ? inherited : []) }

    /// The search paths that the needed libraries inherit.
    var passedOn: [String] { (needs.passesSearchPathsOn ? ownFolders : []) + inherited }

    private var ownFolders: [String] { LinkCheck.folders(needs.searchPaths, origin: origin) }
}
