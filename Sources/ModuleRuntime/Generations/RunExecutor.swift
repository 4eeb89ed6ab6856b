import Dispatch

/// An executor for the work of one module, on a private queue. The work may block its thread without delaying others.
final class RunExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "run of a module")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
