import CSystem
import Glibc
package import ViperKit

/// Starts a thread that runs a closure, with all signals unblocked.
///
/// The thread belongs to no pool, so no module can keep it busy. Unlike a dispatch timer, a thread that waits for a
/// semaphore needs no descriptor, which a module could close.
///
/// - Throws: ``ViperError/Code/resourceMissing`` if the system has no room for another thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(ViperError) {
    // pthread_create takes a C function and a pointer. The pointer owns the box until the thread takes it over.
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { pointer in
            guard let pointer else { return nil }
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    if failure == 0 {
        pthread_detach(thread)
        return
    }
    box.release()
    throw ViperError(
        .resourceMissing, operation: "cannot start", subject: "a thread", cause: systemReason(failure),
        fix: "raise the limit of processes (ulimit -u)")
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
