import Foundation

/// A test module, compiled by swiftc against the built ViperKit as a module's author would do.
public struct ModuleFixture: Sendable {
    /// The Swift module's name. The library is `libNAME.so`.
    public var name: String
    public var source: String
    /// C source to link in, such as constructors that run while the library loads.
    public var cSource: String?
    /// The ViperKit that the module is compiled against.
    public var sdk = SDKBuild.products
    /// Further arguments for swiftc.
    public var flags: [String] = []

    public init(_ name: String, _ source: String) { (self.name, self.source) = (name, source) }

    public var library: String { "lib\(name).so" }

    /// Returns the path of the library, which is compiled once per test run.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output.
    public func compiled() async throws -> String {
        try await BuildCache.shared.output("\(self)") { folder in
            let swiftFile = "\(folder)/\(name).swift"
            try source.write(toFile: swiftFile, atomically: false, encoding: .utf8)
            var inputs = [swiftFile]
            if let cSource {
                try cSource.write(toFile: "\(folder)/\(name).c", atomically: false, encoding: .utf8)
                inputs.append("\(folder)/\(name)-c.o")
                try await Compiler.run("clang", ["-c", "-fPIC", "\(folder)/\(name).c", "-o", "\(folder)/\(name)-c.o"])
            }
            let link = try await sdk.linking()
            try await Compiler.swiftc(
                ["-emit-library", "-parse-as-library", "-swift-version", "6", "-module-name", name, "-Onone"]
                    + ["-o", "\(folder)/\(library)"] + link + flags + inputs)
            return "\(folder)/\(library)"
        }
    }
}
