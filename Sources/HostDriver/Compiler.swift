import Foundation

/// A namespace for running the toolchain's compilers. At most two compilers run at the same time, to leave processor
/// time for the tests.
package enum Compiler {
    private static let slots = Semaphore(2)

    /// Runs swiftc.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output if compilation fails.
    package static func swiftc(_ arguments: [String]) async throws { try await run("swiftc", arguments) }

    /// Runs a compiler.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output if compilation fails.
    package static func run(_ program: String, _ arguments: [String]) async throws {
        let child = try await slots.withSlot { try await ChildProcess(program, arguments).run() }
        if child.ending != .code(0) { throw ChildFailure("\(program) \(arguments.joined(separator: " "))\n\(child)") }
    }
}
