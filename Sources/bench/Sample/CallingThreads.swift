import Foundation
import Synchronization

/// Clients that call a server at the same time, each on a thread of its own.
///
/// The threads exist until the value is destroyed, so that a measurement does not contain their start.
final class CallingThreads: Sendable {
    /// The number of calls that each client makes in one repetition. It makes waking up the threads a small part of the
    /// cost.
    static let calls = 100

    private let threads: [CallingThread]

    /// Connects the clients. Their threads run on the given processors.
    init(
        _ count: Int, on processors: Processors, connectingTo socket: String,
        expecting answer: String = LineClient.result
    ) throws {
        var threads: [CallingThread] = []
        do {
            for _ in 0..<count { threads.append(try CallingThread(socket, answer, processors)) }
        } catch {
            threads.forEach { $0.end() }
            throw error
        }
        self.threads = threads
    }

    deinit { threads.forEach { $0.end() } }

    /// Lets each client make its calls several times, and returns the number of repetitions that succeeded.
    func call(_ repetitions: Int) -> Int {
        threads.forEach { $0.begin(repetitions) }
        return threads.map { $0.finish() }.min() ?? 0
    }
}

/// A thread that calls a server on request. It runs until ``end()`` is called.
private final class CallingThread: Sendable {
    private let wanted = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let client: Mutex<LineClient>
    /// The number of repetitions: first the wanted ones, then those that succeeded. Negative if the thread must end.
    private let count = Mutex(0)

    init(_ socket: String, _ answer: String, _ processors: Processors) throws {
        client = Mutex(try LineClient(connectingTo: socket, expecting: answer))
        Thread { [self] in
            while true {
                wanted.wait()
                let count = count.withLock { $0 }
                if count < 0 { return }
                // The thread may have the processors of the whole process again.
                let isPlaced = (try? processors.restrict()) != nil
                let successes = client.withLock { client in (0..<count).prefix { _ in Self.call(client) }.count }
                self.count.withLock { $0 = isPlaced ? successes : 0 }
                done.signal()
            }
        }.start()
    }

    private static func call(_ client: LineClient) -> Bool {
        (0..<CallingThreads.calls).allSatisfy { _ in client.call(LineClient.ping) }
    }

    func begin(_ repetitions: Int) {
        count.withLock { $0 = repetitions }
        wanted.signal()
    }

    func finish() -> Int {
        done.wait()
        return count.withLock { $0 }
    }

    func end() { begin(-1) }
}
