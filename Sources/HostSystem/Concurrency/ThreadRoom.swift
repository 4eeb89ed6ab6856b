import Dispatch
import Glibc
package import ViperKit

/// The room for threads in the limits of this process.
package enum ThreadRoom {
    /// Checks that the system has room for more threads, by starting them all and ending them again.
    ///
    /// Swift's concurrency runtime uses Dispatch, which waits without end and without a message for room for a thread, and
    /// blocks signals meanwhile. So check this before the first task.
    ///
    /// - Throws: ``ViperError/Code/resourceMissing`` if a thread cannot be started.
    package static func check(for count: Int) throws(ViperError) {
        let gate = Gate()
        // Small stacks, because only the number of threads is checked. C initializes the memory, which lives until the return.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, 256 << 10)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        var threads: [pthread_t] = []
        var failure: Int32 = 0
        while threads.count < count, failure == 0 {
            // pthread_create takes a C function and a pointer. The pointer owns the gate until the thread takes it over.
            let pointer = Unmanaged.passRetained(gate)
            var thread = pthread_t()
            failure = pthread_create(
                &thread, attributes,
                { pointer in
                    if let pointer { Unmanaged<Gate>.fromOpaque(pointer).takeRetainedValue().pass() }
                    return nil
                }, pointer.toOpaque())
            if failure == 0 { threads.append(thread) } else { pointer.release() }
        }
        gate.open(for: threads.count)
        for thread in threads { pthread_join(thread, nil) }
        if failure == 0 { return }
        throw ViperError(
            .resourceMissing, operation: "cannot start", subject: "\(count) threads",
            cause: "\(systemReason(failure)) after \(threads.count)",
            fix: "raise the limit of processes of this user (ulimit -u), or that of the container or service")
    }

    /// A gate that holds threads until all of them have started. It needs no thread and no descriptor itself.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func pass() { semaphore.wait() }
        func open(for count: Int) { for _ in 0..<count { semaphore.signal() } }
    }
}
