import Dispatch
import Synchronization

/// Runs calls that block their thread, such as those that read, write and sync files, outside Swift's cooperative pool.
///
/// A few threads run all of them, whatever their number, in order: a call that finds no free thread waits without holding one.
package enum BlockingWork {
    private struct Job {
        let run: @Sendable () -> Void
    }

    private struct State {
        // Serial queues: a concurrent queue takes its threads from Swift's pool on Linux, and a thread that blocks there holds up every
        // task of the process.
        var idle = (1...4).map { DispatchQueue(label: "blocking work \($0)") }
        var added: [Job] = []
        /// The earliest jobs, the next one last.
        var next: [Job] = []

        mutating func takeJob() -> Job? {
            if next.isEmpty { (next, added) = (added.reversed(), []) }
            return next.popLast()
        }
    }

    private static let state = Mutex(State())

    /// Runs a body on one of the threads, and returns what it returns.
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

    /// Runs jobs until none is left.
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
