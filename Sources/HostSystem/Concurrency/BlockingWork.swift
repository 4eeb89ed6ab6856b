import Dispatch
import Synchronization

/// A thread pool that keeps blocking calls, such as file reads, writes and syncs, off Swift's cooperative pool.
///
/// The pool has four threads and starts calls in the order in which they were added. Waiting for a result suspends the
/// task instead of blocking its thread.
package enum BlockingWork {
    private struct Job {
        let run: @Sendable () -> Void
    }

    private struct State {
        // The queues are serial, because a concurrent queue on Linux uses threads of Swift's cooperative pool. A
        // blocked thread in that pool delays every task in the process.
        var idle = (1...4).map { DispatchQueue(label: "blocking work \($0)") }
        var added: [Job] = []
        /// The jobs to run next, in reverse order.
        var next: [Job] = []

        mutating func takeJob() -> Job? {
            if next.isEmpty { (next, added) = (added.reversed(), []) }
            return next.popLast()
        }
    }

    private static let state = Mutex(State())

    /// Runs a closure on one of the pool's threads and returns its result.
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
