import CSystem
import Foundation
import Glibc
import HostDriver

/// The processors of a client and of its server.
///
/// Without a placement, the scheduler decides for each run whether a message wakes up a thread on the same processor or on
/// another one. The second can take longer than all work of both programs.
enum Placement: CaseIterable {
    /// Client and server share one processor.
    case together
    /// The client and the server have a processor each.
    case apart

    /// The placements that this process can use.
    static var available: [Self] { numbers.count > 1 ? allCases : [.together] }

    var name: String {
        switch self {
        case .together: "one processor"
        case .apart: "two processors"
        }
    }

    /// Restricts a server and all its threads and processes to its processor.
    func place(_ server: inout ChildProcess) {
        let number = Self.numbers[Self.numbers.count - 1]
        server.arguments = ["--cpu-list", "\(number)", server.program] + server.arguments
        server.program = "taskset"
    }

    /// The client's processor.
    var client: Processors { Processors(Self.numbers[self == .apart ? 0 : Self.numbers.count - 1]) }

    /// Runs a closure while this thread is restricted to the client's processor.
    ///
    /// Threads that start meanwhile inherit the restriction, also those of Swift's pool. Afterwards, no thread of this
    /// process is restricted.
    @MainActor
    func asClient<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
        let before = Processors.ofThisThread
        try client.restrict()
        do {
            let value = try await body()
            before.restrictAllThreads()
            return value
        } catch {
            before.restrictAllThreads()
            throw error
        }
    }

    /// The processors that this process may use, read before a thread is restricted. There is at least one.
    private static let numbers = Processors.ofThisThread.numbers
}

/// A set of processors.
struct Processors {
    /// One bit for each processor. The size is that of glibc's `cpu_set_t`.
    private var words = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)

    init(_ number: Int) { words[number / UInt.bitWidth] = 1 << (number % UInt.bitWidth) }

    /// The processors that the calling thread may use.
    static var ofThisThread: Self {
        var processors = Self(0)
        // A failure leaves processor 0.
        _ = sched_getaffinity(0, processors.size, &processors.words)
        return processors
    }

    var numbers: [Int] {
        (0..<words.count * UInt.bitWidth).filter { words[$0 / UInt.bitWidth] >> ($0 % UInt.bitWidth) & 1 == 1 }
    }

    /// Restricts the calling thread to these processors.
    func restrict() throws {
        if sched_setaffinity(0, size, words) != 0 {
            throw UnexpectedResult("cannot restrict a thread to the processors \(numbers)")
        }
    }

    /// Restricts all threads of this process to these processors.
    func restrictAllThreads() {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        // A thread that has ended meanwhile does not matter.
        for thread in threads.compactMap({ pid_t($0) }) { _ = sched_setaffinity(thread, size, words) }
    }

    private var size: Int { words.count * MemoryLayout<UInt>.size }
}
