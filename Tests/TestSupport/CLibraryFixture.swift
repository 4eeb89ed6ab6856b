import Foundation
import HostDriver

/// A small C library without system dependencies.
public struct CLibraryFixture: Sendable {
    public var name: String
    public var source: String
    /// Additional arguments for clang.
    public var flags: [String]

    public init(_ name: String, _ source: String, flags: [String] = []) {
        (self.name, self.source, self.flags) = (name, source, flags)
    }

    /// Compiles the library once per test run, and returns its path.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output.
    public func compiled() async throws -> String {
        try await BuildCache.shared.output("\(self)") { folder in
            let file = "\(folder)/source.c"
            try (source + "\n").write(toFile: file, atomically: false, encoding: .utf8)
            // Uses the toolchain's linker, which does not need a development package of the system.
            let options = ["-shared", "-fPIC", "-nostdlib", "-fuse-ld=lld", "-o", "\(folder)/\(name)", file]
            try await Compiler.run("clang", options + flags)
            return "\(folder)/\(name)"
        }
    }
}
