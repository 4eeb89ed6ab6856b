import Foundation

/// Runs the toolchain's compilers, two at a time: more would take the processors from the tests.
enum Compiler {
    /// Runs a compiler.
    ///
    /// - Throws: ``ChildFailure`` with all that it said, when it fails.
    static func run(_ program: String, _ arguments: [String]) async throws {
        await turns.take()
        let result: Result<ChildResult, any Error>
        do {
            var child = ChildProcess(program, arguments)
            child.timeLimit = 240
            result = .success(try await child.run())
        } catch {
            result = .failure(error)
        }
        await turns.giveBack()
        let child = try result.get()
        if child.ending != .code(0) { throw ChildFailure("\(program) \(arguments.joined(separator: " "))\n\(child)") }
    }

    private static let turns = Turns(2)
}

/// A counting semaphore that suspends instead of blocking.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
