import Foundation
import Glibc
import Synchronization
public import Testing
public import ViperKit

/// The part of a crash test that runs in a child process: it writes, logs each acknowledged write, and is killed at a
/// random moment.
///
/// Logged numbers survive the kill: they are in the file as soon as `write` returns.
public enum KilledWriter {
    private struct Note: Record {
        var id: String
    }

    /// Calls `write` with ascending numbers until SIGKILL ends this process at a random point. Appends each number to
    /// `log` once its call has returned.
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

    /// Runs the crash test of a data provider: inserts each number into two collections in one change.
    public static func run(_ provider: any DataProvider, log: String) async throws -> Never {
        // The last number of the previous run may be in both collections without being acknowledged.
        let ids = Set(try await provider.all(Note.self, in: "a").map(\.id))
        try await run(log: log) { number in
            let note = Note(id: "\(number)")
            if ids.contains(note.id) { return }
            try await provider.apply([.insert(note, into: "a"), .insert(note, into: "b")])
        }
    }

    /// Checks that all acknowledged numbers exist in order, and that both collections are equal.
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

    /// Returns the numbers that earlier runs acknowledged.
    public static func acknowledgedNumbers(_ log: String) throws -> [Int] {
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
    }
}

/// A counter that starts a thread at a given count. That thread kills the process a moment later, while the writer
/// continues.
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
            // A busy loop, because a few microseconds more or less hit different points of a write.
            let end = DispatchTime.now().uptimeNanoseconds + .random(in: 0...4_000_000)
            while DispatchTime.now().uptimeNanoseconds < end {}
            kill(getpid(), SIGKILL)
        }.start()
    }
}
