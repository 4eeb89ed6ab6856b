// swift-tools-version: 6.2
import PackageDescription

// ViperKit is a separate package because SwiftPM links targets of the same package statically. With static linking, the
// host and each module would contain their own copy of every type, and casts between the copies would fail silently.
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
                // Keeps modules that were built against an older ViperKit working when a type gains a property or
                // requirement.
                .unsafeFlags(["-enable-library-evolution"]),
            ],
            linkerSettings: [
                // SwiftPM does not set a SONAME. Without a SONAME, the private copy of a module's library does not find
                // the ViperKit that is already loaded.
                .unsafeFlags(["-Xlinker", "-soname=libViperKit.so"], .when(platforms: [.linux]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
