import FoundationEssentials
import ViperKit
import ViperRuntime

/// The ViperKit that modules are compiled against: the one that the running host has loaded.
struct KitFolder {
    /// Where it is: the folder of the host's executable.
    let path: String

    /// - Throws: `sdk-missing`.
    init() throws(ViperError) {
        path = Root.folderOfExecutable
        for file in ["Modules/ViperKit.swiftmodule", "libViperKit.so"]
        where !FileManager.default.fileExists(atPath: "\(path)/\(file)") {
            throw ViperError(
                .sdkMissing, "cannot build against the ViperKit in", path, cause: "there is no \(file)",
                mend: "use the host that swift build makes in a checkout of this project")
        }
    }

    /// What swiftc needs to be told.
    var arguments: [String] { ["-I", "\(path)/Modules", "-L", path, "-lViperKit"] }
}
