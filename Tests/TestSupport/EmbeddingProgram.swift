import Foundation
public import HostDriver

/// A program that contains a host, in a package of its own.
public struct EmbeddingProgram: Sendable {
    public var source: String

    public init(_ source: String) { self.source = source }

    /// The targets of the library product `ViperRuntime`, in the order in which they are linked.
    public static let layers = [
        "ViperRuntime", "ModuleIsolation", "ModuleRuntime", "ModuleCatalog", "DataProviders", "JSONRPC", "HostSystem",
    ]

    /// Compiles the program with swiftc against the build under test, and returns its path. Only public declarations are
    /// available to it, because it does not belong to this package.
    public func compiled(in folder: ScratchFolder) async throws -> String {
        let (input, output) = (try folder.write(source, to: "Program.swift"), folder.path + "/program")
        try await Compiler.swiftc(
            GeneratedModule.settings + ["-module-name", "Program", "-o", output, input]
                + Self.layers.flatMap { try Products.objects(of: $0) }
                + ["-L", Products.folder, "-lViperKit", "-Xlinker", "-rpath", "-Xlinker", Products.folder])
        return output
    }

    /// Builds the program with SwiftPM, as a package that depends on this one, and returns its path. SwiftPM compiles all
    /// layers and ViperKit again, which takes a minute or two.
    ///
    /// - Parameters:
    ///   - manifest: The content of `Package.swift`, in which `../viper-host` is the path of this package.
    ///   - name: The name of the executable target.
    public func built(in folder: ScratchFolder, manifest: String, name: String) async throws -> String {
        try folder.write(
            manifest.replacingOccurrences(of: "../viper-host", with: Products.repository), to: "Package.swift")
        try folder.write(source, to: "Sources/\(name)/Program.swift")
        let build = ["--package-path", folder.path, "--scratch-path", folder.path + "/build"]
        try await Compiler.run("swift", ["build"] + build)
        return "\(folder.path)/build/debug/\(name)"
    }
}
