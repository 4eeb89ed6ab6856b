/// The text of the files that a separate package needs in addition to the module's own files.
struct PackageTemplate {
    let name: ModuleName
    /// The path of the checkout that contains ViperKit and ViperTesting.
    let checkout: String

    var package: String {
        #"""
        // swift-tools-version: 6.2
        import PackageDescription

        /// The checkout of the host, which contains ViperKit and ViperTesting.
        let host = "\#(checkout.swiftLiteral)"

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]

        let viperKit = Target.Dependency.product(name: "ViperKit", package: "ViperKit")

        let package = Package(
            name: "\#(name.kebab)",
            products: [
                .library(name: "\#(name.type)", type: .dynamic, targets: ["\#(name.type)"])
            ],
            dependencies: [
                .package(name: "viper-host", path: host),
                .package(path: "\(host)/Sources/ViperKit"),
            ],
            targets: [
                .target(name: "\#(name.type)", dependencies: [viperKit], swiftSettings: settings),
                .testTarget(
                    name: "\#(name.type)Tests",
                    dependencies: [
                        "\#(name.type)", viperKit, .product(name: "ViperTesting", package: "viper-host"),
                    ],
                    swiftSettings: settings),
            ],
            swiftLanguageModes: [.v6]
        )

        """#
    }

    func readme(_ template: ModuleTemplate) -> String {
        """
        # \(name.title)

        A VIPER module. `swift test` runs its tests. `host build .` compiles it and copies it into a host's root:

        ```console
        $ host build . --root ROOT
        $ \(template.trial) --root ROOT
        ```

        | Folder       | Contents                                                     |
        |--------------|--------------------------------------------------------------|
        | `Sources/`   | The module, with a file for each role.                       |
        | `Tests/`     | Tests of each role alone, and of all roles together.         |
        | `Manifests/` | The manifest, which a host reads before it loads the module. |
        \(template.resources.isEmpty ? "" : "| `Resources/` | Files that the module reads.                                 |\n")
        """
    }

    static let gitignore = """
        .build/
        .swiftpm/
        Package.resolved
        *.so
        # Created by host build . if this folder is the root.
        Plugins/
        .building-*

        """
}

extension String {
    /// The string with the escapes that a Swift string literal requires, without quotation marks.
    fileprivate var swiftLiteral: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control: "\\u{\(String(scalar.value, radix: 16))}"
            default: "\(scalar)"
            }
        }.joined()
    }
}
