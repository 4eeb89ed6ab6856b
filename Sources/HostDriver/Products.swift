import Foundation

/// The paths of the source files, and of the build products that the end-to-end tests run.
public enum Products {
    /// The absolute path of the folder that contains `host`, `libViperKit.so`, the bundled modules and `Modules/`. The
    /// path contains no symbolic links.
    ///
    /// The default is the folder of the test executable. `$VIPER_PRODUCTS` overrides it, so that the tests of a debug
    /// build can run a release build.
    public static let folder: String = {
        let given = ProcessInfo.processInfo.environment["VIPER_PRODUCTS"]
        return given.map(resolved) ?? parent(of: resolved("/proc/self/exe"))
    }()

    public static let areOptimized = folder.hasSuffix("/release")

    public static var tests: String { resolved("/proc/self/exe") }

    /// The compilers' cache of Clang modules. SwiftPM fills it when it builds the products.
    public static var moduleCache: String { folder + "/ModuleCache" }

    public static var host: String { folder + "/host" }

    /// The path of the library for the bundled module `company-list`.
    public static var companyList: String { folder + "/libCompanyList.so" }

    /// The repository's root folder. A host can use it as its root.
    public static let repository = parent(of: parent(of: parent(of: #filePath)))

    /// The folder that contains the interfaces of the released ViperKit versions. Each file is named
    /// `VERSION.swiftinterface`.
    public static var releasedInterfaces: String { repository + "/Tests/ViperKitTests/Interface/Released" }

    /// The released ViperKit versions, such as `1.0`, in ascending order.
    ///
    /// - Throws: An error if the folder with the interfaces cannot be read.
    public static var releasedVersions: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: releasedInterfaces)
                .filter { $0.hasSuffix(".swiftinterface") }
                .map { $0.replacingOccurrences(of: ".swiftinterface", with: "") }
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        }
    }

    /// Returns the object files of a target. Ignores object files of removed sources, which remain in the build folder.
    package static func objects(of target: String) throws -> [String] {
        func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }
        let sources = Set(try files("\(repository)/Sources/\(target)", "swift").map { name($0) + ".o" })
        return try files("\(folder)/\(target).build", "o").filter {
            !$0.hasSuffix(".swift.o") || sources.contains(name($0))
        }
    }

    /// Returns the paths of all files below a folder whose names have an ending, in a fixed order.
    package static func files(_ folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".\(ending)") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }

    private static func parent(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}
