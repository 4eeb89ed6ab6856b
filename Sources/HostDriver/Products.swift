import Foundation

/// The paths of the build products that the end-to-end tests run, and of the sources.
public enum Products {
    /// The absolute path, without symbolic links, of the folder with `host`, `libViperKit.so`, the bundled modules and
    /// `Modules/`.
    ///
    /// `$VIPER_PRODUCTS` overrides the test executable's folder, so that the tests of a debug build can run a release
    /// build.
    public static let folder: String = {
        let given = ProcessInfo.processInfo.environment["VIPER_PRODUCTS"]
        return given.map(resolved) ?? parent(of: resolved("/proc/self/exe"))
    }()

    public static let areOptimized = folder.hasSuffix("/release")

    public static var tests: String { resolved("/proc/self/exe") }

    /// The compilers' cache of Clang modules, which SwiftPM fills when it builds the products.
    public static var moduleCache: String { folder + "/ModuleCache" }

    public static var host: String { folder + "/host" }

    /// The library of the bundled module `company-list`.
    public static var companyList: String { folder + "/libCompanyList.so" }

    /// The repository's root folder, which is also a root for the host.
    public static let repository = parent(of: parent(of: parent(of: #filePath)))

    /// The folder with the interfaces of the released ViperKits, `VERSION.swiftinterface`.
    public static var releasedInterfaces: String { repository + "/Tests/ViperKitTests/Interface/Released" }

    /// The released versions, such as `1.0`, in the order of their numbers.
    ///
    /// - Throws: An error if the folder of the interfaces cannot be read.
    public static var releasedVersions: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: releasedInterfaces)
                .filter { $0.hasSuffix(".swiftinterface") }
                .map { $0.replacingOccurrences(of: ".swiftinterface", with: "") }
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        }
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }

    private static func parent(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
