import Foundation
public import HostDriver

/// A module that `host new` generated, in its own package or in a checkout.
///
/// Tests compile the module with swiftc against the build under test. SwiftPM would rebuild ViperKit and ViperTesting,
/// which takes a minute.
public struct GeneratedModule: Sendable {
    public var name: String
    /// The folder of the package or the checkout.
    public var folder: String
    /// The folder with the module's sources.
    public var sources: String
    public var tests: String

    public init(_ name: String, in folder: String) {
        (self.name, self.folder) = (name, folder)
        (sources, tests) = ("\(folder)/Sources/\(name)", "\(folder)/Tests/\(name)Tests")
    }

    public init(_ name: String, inCheckout folder: String) {
        (self.name, self.folder) = (name, folder)
        (sources, tests) = ("\(folder)/Plugins/\(name)", "\(folder)/Tests/\(name)Tests")
    }

    // The compiler settings of Package.swift, with warnings treated as errors.
    static let settings =
        ["-swift-version", "6", "-warnings-as-errors", "-Onone", "-parse-as-library"]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
            ["-enable-upcoming-feature", $0]
        }
        + ["-I", "\(Products.folder)/Modules"]
        + ["-Xcc", "-fmodule-map-file=\(Products.repository)/Sources/CSystem/module.modulemap"]

    /// Compiles modules and their tests into one program, as SwiftPM does, and runs all tests.
    public static func test(_ modules: [GeneratedModule], in build: String) async throws -> ChildResult {
        for module in modules {
            try await compile(module.name, swiftFiles(module.sources), in: build)
            try await compile("\(module.name)Tests", swiftFiles(module.tests), in: build)
        }
        let runner = """
            import Testing

            @main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }

            """
        try runner.write(toFile: "\(build)/Runner.swift", atomically: false, encoding: .utf8)
        let objects = try ["ViperTesting", "ModuleRuntime", "ModuleCatalog", "DataProviders", "HostSystem"].flatMap(
            Products.objects)
        try await Compiler.swiftc(
            settings + ["-module-name", "Runner", "-o", "\(build)/tests", "\(build)/Runner.swift"]
                + modules.flatMap { ["\(build)/\($0.name).o", "\(build)/\($0.name)Tests.o"] } + objects
                + ["-L", Products.folder, "-lViperKit", "-Xlinker", "-rpath", "-Xlinker", Products.folder])
        return try await ChildProcess("\(build)/tests", ["--testing-library", "swift-testing"]).run()
    }

    private static func compile(_ module: String, _ files: [String], in build: String) async throws {
        try await Compiler.swiftc(
            // The compiler searches this folder first, because the build under test may contain a module with the same
            // name.
            ["-I", build] + settings + [
                "-enable-testing", "-emit-module", "-emit-object", "-whole-module-optimization",
            ]
                + ["-emit-module-path", "\(build)/\(module).swiftmodule"]
                + ["-module-name", module, "-o", "\(build)/\(module).o"] + files)
    }

    private static func swiftFiles(_ folder: String) throws -> [String] { try Products.files(folder, "swift") }
}
