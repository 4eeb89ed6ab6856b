import Foundation

/// A small C program for tests. It can make system calls that no Swift program makes.
public struct ProgramFixture: Sendable {
    public var name: String
    public var source: String

    public init(_ name: String, _ source: String) { (self.name, self.source) = (name, source) }

    /// Returns the path of the compiled program. The program is compiled once per test run.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output if compilation fails.
    public func compiled() async throws -> String {
        try await BuildCache.shared.output("\(self)") { folder in
            let file = "\(folder)/\(name).c"
            try source.write(toFile: file, atomically: false, encoding: .utf8)
            try await Compiler.run("clang", ["-O0", "-w", "-D_GNU_SOURCE", file, "-o", "\(folder)/\(name)"])
            return "\(folder)/\(name)"
        }
    }
}
