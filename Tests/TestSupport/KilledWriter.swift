import Foundation
import Glibc
import Synchronization
public import Testing
public import ViperKit

/// A crash test. A child process writes data and logs each acknowledged write until it is killed at a random point. The
/// test then checks that no acknowledged write is lost.
///
/// Logged numbers survive the kill, because they are in the log file as soon as the system call `write` returns.
public enum KilledWriter {
    private struct Note: Record {
        var id: String
    }

    /// Calls `write` with ascending numbers until SIGKILL ends this process at a random point. After each call has
    /// returned, appends its number to `log`.
    public static func run(log: String, write: (Int) async throws -> Void) async throws -> Never {
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let acknowledged = Acknowledged(killingAfter: .random(in: 1...20))
        let first = (try acknowledgedNumbers(log).last ?? 0) + 1
        for number in first... {
            try await write(number)
            let line = Array("\(number)\n".utf8)
            guard Glibc.write(descriptor, line, line.count) == line.count else { break }
            acknowledged.next()
        }
        exit(EXIT_FAILURE)
    }

    /// Runs the crash test of a data provider. Inserts each number into two collections with one call of
    /// ``DataProvider/apply(_:)``.
    public static func run(_ provider: any DataProvider, log: String) async throws -> Never {
        // The previous run may have stored its last number in both collections without acknowledging it.
        let ids = Set(try await provider.all(Note.self, in: "a").map(\.id))
        try await run(log: log) { number in
            let note = Note(id: "\(number)")
            if ids.contains(note.id) { return }
            try await provider.apply([.insert(note, into: "a"), .insert(note, into: "b")])
        }
    }

    /// Checks that both collections contain all acknowledged numbers in order, and that the collections are equal.
    public static func expectAll(
        in provider: any DataProvider, log: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let first = try await provider.all(Note.self, in: "a").map(\.id)
        let second = try await provider.all(Note.self, in: "b").map(\.id)
        #expect(first == second, sourceLocation: sourceLocation)
        let acknowledged = try acknowledgedNumbers(log).map(String.init)
        #expect(!acknowledged.isEmpty, sourceLocation: sourceLocation)
        #expect(Array(first.prefix(acknowledged.count)) == acknowledged, sourceLocation: sourceLocation)
        #expect(first.count <= acknowledged.count + 1, sourceLocation: sourceLocation)
    }

    /// Returns the numbers in the log. These are the numbers that were acknowledged so far.
    public static func acknowledgedNumbers(_ log: String) throws -> [Int] {
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
    }
}

/// A counter that starts a thread when it reaches a given count. The thread kills the process a moment later, while the
/// writer continues.
private final class Acknowledged: Sendable {
    private let count = Mutex(0)
    private let last: Int

    init(killingAfter last: Int) { self.last = last }

    func next() {
        let isLast = count.withLock { count in
            count += 1
            return count == last
        }
        guard isLast else { return }
        Thread {
            // Uses a busy loop for a precise delay. A difference of a few microseconds interrupts a write at a
            // different point.
            let end = DispatchTime.now().uptimeNanoseconds + .random(in: 0...4_000_000)
            while DispatchTime.now().uptimeNanoseconds < end {}
            kill(getpid(), SIGKILL)
        }.start()
    }
}
