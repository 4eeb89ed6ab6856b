// swift-tools-version: 6.2
import PackageDescription

// ViperKit is a package of its own because SwiftPM links a target of the same package statically:
// host and modules would then each hold a copy of every type, and casts between them fail silently.
let package = Package(
    name: "ViperKit",
    products: [.library(name: "ViperKit", type: .dynamic, targets: ["ViperKit"])],
    targets: [
        .target(
            name: "ViperKit",
            path: ".",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                // A module built against an older ViperKit keeps working when a type gains a property or a requirement.
                .unsafeFlags(["-enable-library-evolution"]),
            ],
            linkerSettings: [
                // SwiftPM sets no SONAME; without one a private copy of a module does not find the ViperKit already loaded.
                .unsafeFlags(["-Xlinker", "-soname=libViperKit.so"], .when(platforms: [.linux]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
