// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// True if the SQLite header is installed. Otherwise SQLiteProvider, which needs it, is left out.
let hasSQLite = ["/usr/include/sqlite3.h", "/usr/local/include/sqlite3.h"].contains {
    FileManager.default.fileExists(atPath: $0)
}

/// True if libcurl, which CurlClient links to, is installed. Its header is not needed.
let hasCurl = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].contains {
    FileManager.default.fileExists(atPath: "\($0)/libcurl.so.4")
}

/// The bundled modules. Each has a folder in `Plugins/` and one in `Tests/`. `host new` adds a name here.
let modules =
    [
        "Account",
        "CompanyList",
        "People",
        "Todo",
    ] + (hasCurl ? ["CurlClient", "HTTPProvider"] : []) + (hasSQLite ? ["SQLiteProvider"] : [])

/// The dependencies of modules in addition to ViperKit.
let needs: [String: [Target.Dependency]] = ["SQLiteProvider": ["CSQLite"], "CurlClient": ["CCurl"]]

/// The linker settings of modules. libcurl is linked by its file name, because without the development package only
/// `libcurl.so.4` is installed.
let links: [String: [LinkerSetting]] = ["CurlClient": [.unsafeFlags(["-Xlinker", "-l:libcurl.so.4"])]]

/// The dependencies of a module's tests, in addition to the module. The module itself does not import them.
let testNeeds: [String: [Target.Dependency]] = ["HTTPProvider": ["CurlClient"]]

/// Returns true if a module has a folder of resources. Excluding a missing folder is a warning.
func hasResources(_ module: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Plugins/\(module)/Resources")
}

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let viperKit = Target.Dependency.product(name: "ViperKit", package: "ViperKit")

let package = Package(
    name: "viper-host",
    products: [
        .executable(name: "host", targets: ["host"]),
        .library(name: "ViperRuntime", targets: ["ViperRuntime"]),
        .library(name: "ViperTesting", targets: ["ViperTesting"]),
    ] + modules.map { .library(name: $0, type: .dynamic, targets: [$0]) },
    dependencies: [.package(path: "Sources/ViperKit")],
    targets: [
        .systemLibrary(name: "CSystem"),
        .systemLibrary(name: "CCurl"),
        // If SQLite is missing, SwiftPM looks for it with pkg-config, fails, and prints which package to install.
        .systemLibrary(
            name: "CSQLite", pkgConfig: hasSQLite ? nil : "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "ViperRuntime", dependencies: ["CSystem", viperKit], swiftSettings: settings),
        .target(name: "ViperTesting", dependencies: ["ViperRuntime", viperKit], swiftSettings: settings),
        .executableTarget(
            name: "host", dependencies: ["ViperRuntime", "CSystem", viperKit], swiftSettings: settings,
            // Implicit imports would link libraries that the host never calls. Each one slows down the start.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--as-needed"], .when(platforms: [.linux]))]),
        .executableTarget(name: "soak", dependencies: ["TestSupport"], swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["CSystem", viperKit], path: "Tests/TestSupport", exclude: ["Servers"],
            swiftSettings: settings),
        .testTarget(
            name: "ViperKitTests", dependencies: ["TestSupport", viperKit],
            // The interfaces of released ViperKit versions.
            exclude: ["Interface/Released"], swiftSettings: settings),
        .testTarget(
            name: "ViperRuntimeTests", dependencies: ["ViperRuntime", "ViperTesting", "TestSupport", viperKit],
            // JSON files that tests read in place, and the script that validates them against the schema.
            exclude: ["Manifests"],
            swiftSettings: settings),
        .testTarget(
            name: "ViperTestingTests", dependencies: ["ViperTesting", "TestSupport", viperKit],
            exclude: ["Hello/Manifests", "Snapshots"], swiftSettings: settings),
        .testTarget(
            name: "HostTests",
            dependencies: ["TestSupport", "host", "soak", viperKit] + modules.map { .byName(name: $0) },
            exclude: ["people.py"],
            swiftSettings: settings),
    ]
        + modules.flatMap { name -> [Target] in
            [
                .target(
                    name: name, dependencies: [viperKit] + needs[name, default: []], path: "Plugins/\(name)",
                    exclude: hasResources(name) ? ["Resources"] : [], swiftSettings: settings,
                    linkerSettings: links[name]),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [.byName(name: name), "ViperTesting", "ViperRuntime", "TestSupport", viperKit]
                        + testNeeds[name, default: []],
                    swiftSettings: settings),
            ]
        },
    swiftLanguageModes: [.v6]
)
