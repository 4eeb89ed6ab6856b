import Foundation

/// Where the build has put what the end-to-end tests run, and where its sources are.
public enum Products {
    /// The folder with `host`, `libViperKit.so`, the bundled modules and `Modules/`. Absolute, without symbolic links.
    ///
    /// The test executable itself stands there, in debug and in release builds, whatever the build folder is called.
    public static let folder = parent(of: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path)

    /// The host's executable.
    public static var host: String { folder + "/host" }

    /// The library that the bundled module `company-list` is compiled to.
    public static var companyList: String { folder + "/libCompanyList.so" }

    /// The root of the repository, which is also a root for the host.
    public static let repository = parent(of: parent(of: parent(of: #filePath)))

    /// The folder with the interfaces of the ViperKits that were released, `VERSION.swiftinterface`.
    public static var releasedInterfaces: String { repository + "/Tests/ViperKitTests/Interface/Released" }

    private static func parent(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
