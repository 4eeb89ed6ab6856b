import Foundation

/// A small C program, for what no Swift program does of its own accord.
public struct ProgramFixture: Sendable {
    /// The executable's name.
    public var name: String
    /// The C source.
    public var source: String

    public init(_ name: String, _ source: String) { (self.name, self.source) = (name, source) }

    /// The path of the compiled program. Compiled once in a test run, whoever asks.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output.
    public func compiled() async throws -> String {
        try await BuildCache.shared.output("\(self)") { folder in
            let file = "\(folder)/\(name).c"
            try source.write(toFile: file, atomically: false, encoding: .utf8)
            try await Compiler.run("clang", ["-O0", "-w", "-D_GNU_SOURCE", file, "-o", "\(folder)/\(name)"])
            return "\(folder)/\(name)"
        }
    }
}
