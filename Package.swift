// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// True if the SQLite header is installed. Otherwise SQLiteProvider, which needs it, is left out.
let hasSQLite = ["/usr/include/sqlite3.h", "/usr/local/include/sqlite3.h"].contains {
    FileManager.default.fileExists(atPath: $0)
}

/// True if the header of libpq is installed. Otherwise PostgreSQLProvider, which needs it, is left out.
let hasPostgreSQL = ["/usr/include/postgresql/libpq-fe.h", "/usr/include/libpq-fe.h"].contains {
    FileManager.default.fileExists(atPath: $0)
}

/// True if libcurl, which CurlClient links to, is installed. Its header is not needed.
let hasCurl = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].contains {
    FileManager.default.fileExists(atPath: "\($0)/libcurl.so.4")
}

/// True if the header of ncurses is installed. Otherwise Terminal, which needs it, is left out.
let hasNcurses = ["/usr/include/ncurses.h", "/usr/local/include/ncurses.h"].contains {
    FileManager.default.fileExists(atPath: $0)
}

/// True if the header of libmicrohttpd is installed. Otherwise Web, which needs it, is left out.
let hasMicroHTTPD = ["/usr/include/microhttpd.h", "/usr/local/include/microhttpd.h"].contains {
    FileManager.default.fileExists(atPath: $0)
}

/// The bundled modules. Each has a folder in `Plugins/` and one in `Tests/`. `host new` adds a name here.
let modules =
    [
        "Account",
        "AlertScene",
        "CompanyList",
        "Details",
        "Launcher",
        "Notes",
        "People",
        "Todo",
    ] + (hasCurl ? ["CurlClient", "HTTPProvider"] : []) + (hasSQLite ? ["SQLiteProvider"] : [])
    + (hasPostgreSQL ? ["PostgreSQLProvider"] : [])
    + (hasNcurses ? ["Terminal"] : []) + (hasMicroHTTPD ? ["Web"] : [])

/// The dependencies of modules in addition to ViperKit.
let needs: [String: [Target.Dependency]] = [
    "SQLiteProvider": ["CSQLite"], "PostgreSQLProvider": ["CPostgreSQL"],
    "CurlClient": ["CCurl"], "Terminal": ["CNcurses"], "Web": ["CMicroHTTPD"],
]

/// The linker settings of modules. libcurl is linked by its file name, because without the development package only
/// `libcurl.so.4` is installed.
let links: [String: [LinkerSetting]] = ["CurlClient": [.unsafeFlags(["-Xlinker", "-l:libcurl.so.4"])]]

/// The dependencies of a module's tests, in addition to the module. The module itself does not import them.
let testNeeds: [String: [Target.Dependency]] = [
    "Account": ["ViperRuntime"], "HTTPProvider": ["CurlClient"], "Launcher": ["People", "Details", "AlertScene"],
]

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

/// The layers of the host, lowest first, with the targets that each imports in addition to ViperKit. A layer imports only
/// layers above it in this list. Architecture.md in ViperKit's documentation describes each.
let layers: [(name: String, needs: [Target.Dependency])] = [
    ("HostSystem", ["CSystem"]),
    ("JSONRPC", ["CSystem", "HostSystem"]),
    ("DataProviders", ["HostSystem"]),
    ("ModuleCatalog", ["CSystem", "HostSystem"]),
    ("ModuleRuntime", ["HostSystem", "ModuleCatalog"]),
    ("ModuleIsolation", ["CSystem", "HostSystem", "JSONRPC", "ModuleCatalog", "ModuleRuntime"]),
    (
        "ViperRuntime",
        ["CSystem", "HostSystem", "JSONRPC", "DataProviders", "ModuleCatalog", "ModuleRuntime", "ModuleIsolation"]
    ),
]

/// The dependencies of a layer's tests, in addition to the layer and its imports.
let layerTestNeeds: [String: [Target.Dependency]] = [
    "DataProviders": ["ViperTesting"],
    "HostSystem": ["ViperTesting"],
    "ModuleRuntime": ["ModuleTestSupport", "ViperTesting"],
    "ViperRuntime": ["ModuleTestSupport"],
]

let allLayers = layers.map { Target.Dependency.byName(name: $0.name) }

/// The programs, the library for tests of modules, and the support of the tests.
let programs: [Target] = [
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CCurl"),
    // If SQLite is missing, SwiftPM looks for it with pkg-config, fails, and prints which package to install.
    .systemLibrary(
        name: "CSQLite", pkgConfig: hasSQLite ? nil : "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
        name: "CPostgreSQL", pkgConfig: hasPostgreSQL ? nil : "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
        name: "CNcurses", pkgConfig: hasNcurses ? nil : "ncursesw", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(
        name: "CMicroHTTPD", pkgConfig: hasMicroHTTPD ? nil : "libmicrohttpd",
        providers: [.apt(["libmicrohttpd-dev"])]),
    .target(
        name: "ViperTesting",
        dependencies: ["HostSystem", "DataProviders", "ModuleCatalog", "ModuleRuntime", viperKit],
        swiftSettings: settings),
    .executableTarget(
        name: "host", dependencies: allLayers + ["CSystem", viperKit],
        resources: [.embedInCode("New/Templates"), .embedInCode("Why/ErrorCodes.md")], swiftSettings: settings,
        // Implicit imports would link libraries that the host never calls. Each one slows down the start.
        linkerSettings: [.unsafeFlags(["-Xlinker", "--as-needed"], .when(platforms: [.linux]))]),
    .executableTarget(
        name: "bench",
        dependencies: [
            "CSystem", "HostDriver", "HostSystem", "ModuleCatalog", "ModuleRuntime", "ViperRuntime", viperKit,
        ],
        swiftSettings: settings),
    // Programs that the benchmark compares the host with.
    .executableTarget(name: "echo"),
    .executableTarget(
        name: "floor", dependencies: ["HostSystem", "ModuleCatalog", viperKit], swiftSettings: settings,
        linkerSettings: [.unsafeFlags(["-Xlinker", "--as-needed"], .when(platforms: [.linux]))]),
    .target(name: "HostDriver", dependencies: ["CSystem", viperKit], swiftSettings: settings),
    .executableTarget(name: "soak", dependencies: ["HostDriver"], swiftSettings: settings),
    .target(
        name: "TestSupport", dependencies: ["HostDriver", "CSystem", viperKit], path: "Tests/TestSupport",
        // Programs in Python that tests run.
        exclude: ["Schemas", "Servers"],
        swiftSettings: settings),
    .testTarget(
        name: "ViperKitTests", dependencies: ["TestSupport", "HostDriver", viperKit],
        // The interfaces of released ViperKit versions.
        exclude: ["Interface/Released"], swiftSettings: settings),
    .target(
        name: "ModuleTestSupport",
        dependencies: ["ModuleCatalog", "ModuleRuntime", "TestSupport", "HostDriver", viperKit],
        path: "Tests/ModuleTestSupport", swiftSettings: settings),
    .testTarget(
        name: "ViperTestingTests", dependencies: ["ViperTesting", "TestSupport", "HostDriver", viperKit],
        exclude: ["Hello/Manifests", "Screens/Snapshots", "Snapshots"], swiftSettings: settings),
    .testTarget(
        name: "HostTests",
        dependencies: ["TestSupport", "HostDriver", "host", "soak", "bench", "echo", "floor", viperKit]
            + modules.map { .byName(name: $0) },
        exclude: ["Run/people.py"],
        swiftSettings: settings),
]

/// The tests of pages in a browser. They run only if an environment variable asks for them.
let browserTests = Target.testTarget(
    name: "BrowserTests", dependencies: ["TestSupport", "HostDriver", viperKit], swiftSettings: settings)

let layerTargets = layers.flatMap { layer -> [Target] in
    [
        .target(name: layer.name, dependencies: layer.needs + [viperKit], swiftSettings: settings),
        .testTarget(
            name: "\(layer.name)Tests",
            dependencies: [.byName(name: layer.name), "TestSupport", "HostDriver", viperKit] + layer.needs
                + layerTestNeeds[layer.name, default: []],
            exclude: layer.name == "ModuleCatalog" ? ["Manifests"] : [], swiftSettings: settings),
    ]
}

let moduleTargets = modules.flatMap { name -> [Target] in
    [
        .target(
            name: name, dependencies: [viperKit] + needs[name, default: []], path: "Plugins/\(name)",
            exclude: hasResources(name) ? ["Resources"] : [], swiftSettings: settings,
            linkerSettings: links[name]),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [
                .byName(name: name), "HostSystem", "ModuleRuntime", "ViperTesting", "TestSupport", "HostDriver",
                viperKit,
            ]
                + testNeeds[name, default: []],
            swiftSettings: settings),
    ]
}

/// The modules that `host new` copies.
let templateTargets = ["List", "Form", "Service", "Running", "FrontEnd", "Guard", "Scene"].flatMap { kind -> [Target] in
    let (name, folder) = ("\(kind)Template", "Sources/host/New/Templates/\(kind)")
    return [
        .target(name: name, dependencies: [viperKit], path: "\(folder)/Sources", swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "ViperTesting", viperKit],
            path: "\(folder)/Tests", swiftSettings: settings),
    ]
}

/// The contract that `host new` copies. It has no tests, because it contains only declarations.
let contractTemplate = Target.target(
    name: "ContractTemplate", dependencies: [viperKit], path: "Sources/host/New/Templates/Contract/Sources",
    swiftSettings: settings)

let package = Package(
    name: "viper-host",
    products: [
        .executable(name: "host", targets: ["host"]),
        .library(name: "ViperRuntime", targets: ["ViperRuntime"]),
        .library(name: "ViperTesting", targets: ["ViperTesting"]),
    ] + modules.map { .library(name: $0, type: .dynamic, targets: [$0]) },
    dependencies: [.package(path: "Sources/ViperKit")],
    targets: programs + (hasMicroHTTPD ? [browserTests] : []) + layerTargets + moduleTargets + templateTargets + [
        contractTemplate
    ],
    swiftLanguageModes: [.v6]
)
