import FoundationEssentials
import ViperKit
import ViperRuntime

/// The checkout of this project that the running host was built in.
enum Checkout {
    /// The nearest folder upwards of the executable that has ViperKit's package.
    ///
    /// - Throws: `checkout-missing`.
    static func find() throws(ViperError) -> String {
        let start = Root.folderOfExecutable
        var folder = start
        while !FileManager.default.fileExists(atPath: "\(folder)/Sources/ViperKit/Package.swift") {
            guard let slash = folder.lastIndex(of: "/") else {
                throw ViperError(
                    .checkoutMissing, "cannot find ViperKit's package from", start,
                    cause: "no folder upwards of the host's executable has Sources/ViperKit/Package.swift",
                    mend: "use the host that swift build makes in a checkout of this project")
            }
            folder = String(folder[..<slash])
        }
        return folder
    }

    /// Where a checkout has a target of this name, such as `Plugins/Todo`. Nil when it has none.
    ///
    /// A folder without sources, as `host build` makes one for resources, is no target.
    static func place(ofTarget name: String, in checkout: String) -> String? {
        ["Plugins", "Sources", "Tests"].map { "\($0)/\(name)" }.first { place in
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: "\(checkout)/\(place)")) ?? []
            return files.contains { $0.hasSuffix(".swift") || $0.hasSuffix("module.modulemap") }
        }
    }
}
