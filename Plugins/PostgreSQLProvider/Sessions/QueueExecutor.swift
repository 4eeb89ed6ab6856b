import Dispatch

/// An executor that runs an actor's jobs on a private queue. The jobs may block, unlike jobs in Swift's cooperative
/// pool.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
