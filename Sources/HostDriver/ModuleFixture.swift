import Foundation

/// A test module. swiftc compiles it against the built ViperKit, as the author of a module would.
public struct ModuleFixture: Sendable {
    /// The Swift module's name. The library is named `libNAME.so`.
    public var name: String
    public var source: String
    /// C source that is linked into the library, such as a constructor that runs while the library loads.
    public var cSource: String?
    /// The ViperKit build that the module is compiled against.
    public var sdk = SDKBuild.products
    /// Additional arguments for swiftc.
    public var flags: [String] = []

    public init(_ name: String, _ source: String) { (self.name, self.source) = (name, source) }

    public var library: String { "lib\(name).so" }

    /// Returns the path of the compiled library. The library is compiled once per test run.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output if compilation fails.
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
