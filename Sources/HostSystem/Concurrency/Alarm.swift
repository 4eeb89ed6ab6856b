package import Dispatch
import Synchronization

/// Does something once, after a while, unless it is cancelled before. It lives until then, whoever holds it.
///
/// Not by `Task.sleep`: a module that blocks the main actor or the threads of Swift's pool shall not hold up a time limit.
package final class Alarm: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    package init(after time: Duration, on queue: DispatchQueue, _ ring: @escaping @Sendable () -> Void) {
        timer = Mutex(Self.started(time, queue, ring))
    }

    package func cancel() { timer.withLock { $0.cancel() } }

    private static func started(
        _ time: Duration, _ queue: DispatchQueue, _ ring: @escaping @Sendable () -> Void
    ) -> sending any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        // The timer holds this handler, and so itself, until it is cancelled.
        timer.setEventHandler {
            timer.cancel()
            ring()
        }
        timer.schedule(deadline: .now() + .milliseconds(Int(time / .milliseconds(1))))
        timer.activate()
        return timer
    }
}
