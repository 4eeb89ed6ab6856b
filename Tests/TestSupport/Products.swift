import Foundation

/// Where the build has put what the end-to-end tests run, and where its sources are.
public enum Products {
    /// The folder with `host`, `libViperKit.so`, the bundled modules and `Modules/`. Absolute, without symbolic links.
    ///
    /// `$VIPER_PRODUCTS`, so that the tests of a debug build can run a release build, else where the test executable is.
    public static let folder: String = {
        let given = ProcessInfo.processInfo.environment["VIPER_PRODUCTS"]
        return given.map(resolved) ?? parent(of: resolved("/proc/self/exe"))
    }()

    /// Whether the products are a release build.
    public static let areOptimized = folder.hasSuffix("/release")

    /// The test executable.
    public static var tests: String { resolved("/proc/self/exe") }

    /// The compilers' cache of the system's Clang modules, which SwiftPM fills when it builds the products.
    public static var moduleCache: String { folder + "/ModuleCache" }

    /// The host's executable.
    public static var host: String { folder + "/host" }

    /// The library that the bundled module `company-list` is compiled to.
    public static var companyList: String { folder + "/libCompanyList.so" }

    /// The root of the repository, which is also a root for the host.
    public static let repository = parent(of: parent(of: parent(of: #filePath)))

    /// The folder with the interfaces of the ViperKits that were released, `VERSION.swiftinterface`.
    public static var releasedInterfaces: String { repository + "/Tests/ViperKitTests/Interface/Released" }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }

    private static func parent(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
