import Dispatch
import Synchronization

/// A thread pool for blocking calls, such as file reads, writes and syncs. It keeps them off Swift's cooperative pool.
///
/// Four threads run all calls, in the order in which they were added. A call that waits for a free thread suspends its
/// task.
package enum BlockingWork {
    private struct Job {
        let run: @Sendable () -> Void
    }

    private struct State {
        // The queues are serial. On Linux, a concurrent queue takes threads from Swift's cooperative pool, and a
        // blocked thread there delays every task of the process.
        var idle = (1...4).map { DispatchQueue(label: "blocking work \($0)") }
        var added: [Job] = []
        /// The oldest jobs in reverse order.
        var next: [Job] = []

        mutating func takeJob() -> Job? {
            if next.isEmpty { (next, added) = (added.reversed(), []) }
            return next.popLast()
        }
    }

    private static let state = Mutex(State())

    /// Runs a closure on one of the threads and returns its result.
    package static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            add(Job { continuation.resume(returning: Result { () throws(Failure) in try body() }) })
        }
        return try result.get()
    }

    private static func add(_ job: Job) {
        let queue = state.withLock { state in
            state.added.append(job)
            return state.idle.popLast()
        }
        queue?.async { work(on: queue) }
    }

    private static func work(on queue: DispatchQueue?) {
        func next() -> Job? {
            state.withLock { state in
                if let job = state.takeJob() { return job }
                if let queue { state.idle.append(queue) }
                return nil
            }
        }
        while let job = next() { job.run() }
    }
}
