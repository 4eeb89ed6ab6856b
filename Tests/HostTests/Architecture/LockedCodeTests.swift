import Foundation
import HostDriver
import Testing

/// Tests that code calls only leaves while it holds a lock.
struct LockedCodeTests {
    private static func texts() throws -> [(file: String, text: String)] {
        try ["Sources", "Plugins"].flatMap { folder in
            let path = "\(Products.repository)/\(folder)"
            return try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
                .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
                .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)) }
        }
    }

    /// Returns the calls in a table of CONTRIBUTING.md.
    private static func calls(below heading: String) throws -> Set<String> {
        let page = try String(contentsOfFile: "\(Products.repository)/.github/CONTRIBUTING.md", encoding: .utf8)
        let rows = page.components(separatedBy: "\n| \(heading)").last?.split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .dropFirst(2).prefix { $0.hasPrefix("|") }
        let calls = (rows ?? []).compactMap { $0.split(separator: "|").first?.matches(of: /`(\w+)`/) }.joined()
        return Set(calls.map { String($0.1) })
    }

    @Test("Under a lock, only leaves are called, and nested locks have an order")
    func leaves() throws {
        let (leaves, nested) = (try Self.calls(below: "leaf"), try Self.calls(below: "call with a lock"))
        let texts = try Self.texts()
        let locking = texts.reduce(into: Set<String>()) { $0.formUnion(LockedCode.lockingNames(in: $1.text)) }
        let found = texts.flatMap { LockedCode.all(in: $0.file, $0.text) }
        #expect(found.count > 400)
        for code in found {
            let faults = code.faults(leaves, nested, locking)
            #expect(faults.isEmpty, "\(code) calls \(faults.joined(separator: ", ")) under its lock")
        }
    }

    @Test(
        "The rule finds a closure of the caller, an object's own closure, a property that locks, and a nested lock",
        arguments: [
            // A stream of server-sent events, which once evaluated the event under its own lock.
            """
            func send(_ version: Int, _ event: () -> [UInt8]) {
                state.withLock { state in
                    (state.next, state.version) = (event(), version)
                }
            }
            """,
            "let onEnd: @Sendable (Int) throws -> Void\nfunc end() { state.withLock { onEnd($0.number) } }",
            "func pick(_ isWanted: (Int) -> Bool) { state.withLock { $0.lines.first(where: isWanted) } }",
            "func f() { state.withLock { state in state.streams.contains { $0.isShown } } }",
            "func f() { state.withLock { $0.task?.cancel() } }",
            "func f() { a.withLock { a in b.withLock { $0 += a } } }",
        ])
    func finds(example: String) throws {
        let code = LockedCode.all(in: "example", example)
        #expect(code.count >= 1)
        #expect(code.contains { !$0.faults(["contains", "first"], ["withLock"], ["isShown"]).isEmpty })
    }

    @Test("The rule allows code that runs later, and locks in a documented order")
    func allows() {
        let example = """
            // Lock order: a, then b.
            func f() { a.withLock { a in b.withLock { $0 += a } } }
            func g() { state.withLock { state in state.task = Task { await body() } } }
            func h() { state.withLock { state in state.end = End { [weak self] in self?.body() } } }
            """
        let code = LockedCode.all(in: "example", example)
        #expect(code.count == 4)
        #expect(code.flatMap { $0.faults(["Task", "End"], ["withLock"], []) }.isEmpty)
    }
}
