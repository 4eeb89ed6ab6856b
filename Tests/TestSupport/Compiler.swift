import Foundation

/// Runs the toolchain's compilers, two at a time: more would take the processors from the tests.
enum Compiler {
    private static let turns = Turns(2)

    /// The options of every call of swiftc: all calls share one cache of the system's Clang modules, the build's own. Without it
    /// each call compiles these modules again.
    private static let options = ["-module-cache-path", Products.moduleCache]

    /// Runs swiftc.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output, if it fails.
    static func swiftc(_ arguments: [String]) async throws { try await run("swiftc", options + arguments) }

    /// Runs a compiler.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output, if it fails.
    static func run(_ program: String, _ arguments: [String]) async throws {
        let child = try await turns.take { try await ChildProcess(program, arguments).run() }
        if child.ending != .code(0) { throw ChildFailure("\(program) \(arguments.joined(separator: " "))\n\(child)") }
    }
}
