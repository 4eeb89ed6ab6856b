/// The package in an exported folder with which authors test modules, without a checkout of this project.
///
/// It has the sources of ViperTesting and of what ViperTesting imports, under the same names and paths as the checkout.
/// `host new --package` and the packages that it creates therefore work with either.
enum TestingPackage {
    /// The folders in `Sources` that the package needs. ViperKit is a package of its own.
    static let folders = [
        "ViperKit", "CSystem", "HostSystem", "DataProviders", "ModuleCatalog", "ModuleRuntime", "ViperTesting",
    ]

    /// The content of `Package.swift`.
    static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]

        let viperKit = Target.Dependency.product(name: "ViperKit", package: "ViperKit")

        let needs: [(name: String, needs: [Target.Dependency])] = [
            ("HostSystem", ["CSystem"]),
            ("DataProviders", ["HostSystem"]),
            ("ModuleCatalog", ["CSystem", "HostSystem"]),
            ("ModuleRuntime", ["HostSystem", "ModuleCatalog"]),
            ("ViperTesting", ["HostSystem", "DataProviders", "ModuleCatalog", "ModuleRuntime"]),
        ]

        let package = Package(
            name: "viper-host",
            products: [.library(name: "ViperTesting", targets: ["ViperTesting"])],
            dependencies: [.package(path: "Sources/ViperKit")],
            targets: [.systemLibrary(name: "CSystem")]
                + needs.map { .target(name: $0.name, dependencies: $0.needs + [viperKit], swiftSettings: settings) },
            swiftLanguageModes: [.v6]
        )

        """
}
