import Foundation
import Glibc
import Synchronization

/// The part of a crash test that runs in a child process: writes, tells what was acknowledged, and is killed meanwhile.
///
/// What is told survives the kill: it is in the file as soon as `write` has returned.
public enum KilledWriter {
    /// Calls `write` with ascending numbers until this process is killed by SIGKILL, at a random point soon after some numbers
    /// were acknowledged. Each is appended to `log` when its call has returned.
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

    /// The numbers that earlier runs have acknowledged.
    public static func acknowledgedNumbers(_ log: String) throws -> [Int] {
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
    }
}

/// Counts, and at some count lets a thread of its own kill the process a moment later, while the writer goes on.
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
            // Busy instead of asleep: a few microseconds more or less are different points of a write.
            let end = DispatchTime.now().uptimeNanoseconds + .random(in: 0...4_000_000)
            while DispatchTime.now().uptimeNanoseconds < end {}
            kill(getpid(), SIGKILL)
        }.start()
    }
}
