import FoundationEssentials
import ModuleCatalog
import ViperKit

/// The folder with the ViperKit to compile modules against. The running host has loaded the same ViperKit.
struct KitFolder {
    /// The folder of the host's executable.
    let path: String

    /// Finds the host's folder, and checks that it contains ViperKit.
    ///
    /// - Throws: `sdk-missing` if the `ViperKit` module or library is missing.
    init() throws(ViperError) {
        path = Root.folderOfExecutable
        for file in ["Modules/ViperKit.swiftmodule", "libViperKit.so"]
        where !FileManager.default.fileExists(atPath: "\(path)/\(file)") {
            throw ViperError(
                .sdkMissing, operation: "cannot build with the ViperKit in", subject: path, cause: "\(file) is missing",
                fix: "use a host that swift build created in a checkout of this project, or host export --with-sdk")
        }
    }

    var arguments: [String] { ["-I", "\(path)/Modules", "-L", path, "-lViperKit"] }
}
