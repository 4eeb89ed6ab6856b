import FoundationEssentials
import ModuleCatalog
import ViperKit

/// The checkout of this project that contains the running host.
enum Checkout {
    /// Returns the nearest folder above the executable that contains the ViperKit package.
    ///
    /// - Throws: `checkout-missing` if no such folder exists.
    static func find() throws(ViperError) -> String {
        let start = Root.folderOfExecutable
        var folder = start
        while !FileManager.default.fileExists(atPath: "\(folder)/Sources/ViperKit/Package.swift") {
            guard let slash = folder.lastIndex(of: "/") else {
                throw ViperError(
                    .checkoutMissing, operation: "cannot find a checkout of this project from", subject: start,
                    cause: "no parent folder contains Sources/ViperKit/Package.swift",
                    fix: "use a host that swift build created in a checkout of this project, or host export --with-sdk")
            }
            folder = String(folder[..<slash])
        }
        return folder
    }

    /// Returns the folder for a target in a checkout, such as `Plugins/Todo`, or nil if the target does not exist.
    ///
    /// A folder without sources is not a target. `host build` creates such folders for resources.
    static func place(ofTarget name: String, in checkout: String) -> String? {
        ["Plugins", "Sources", "Tests"].map { "\($0)/\(name)" }.first { place in
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: "\(checkout)/\(place)")) ?? []
            return files.contains { $0.hasSuffix(".swift") || $0.hasSuffix("module.modulemap") }
        }
    }
}
