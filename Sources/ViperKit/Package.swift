// swift-tools-version: 6.2
import PackageDescription

// ViperKit is a separate package because SwiftPM links targets of the same package statically. Host and modules would
// then each contain a copy of every type, and casts between the copies fail silently.
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
                // Keeps modules working that were built against an older ViperKit, when a type gains a property or
                // requirement.
                .unsafeFlags(["-enable-library-evolution"]),
            ],
            linkerSettings: [
                // SwiftPM sets no SONAME. Without one, a module's private copy does not find the ViperKit that is
                // already loaded.
                .unsafeFlags(["-Xlinker", "-soname=libViperKit.so"], .when(platforms: [.linux]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
