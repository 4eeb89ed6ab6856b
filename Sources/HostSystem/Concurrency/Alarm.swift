package import Dispatch
import Synchronization

/// A one-shot timer that runs a closure after a delay unless it is cancelled first.
///
/// The timer keeps itself alive until it fires or is cancelled. It does not use `Task.sleep`, because a module that
/// blocks the main actor or the cooperative pool would delay the time limit.
package final class Alarm: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    package init(after time: Duration, on queue: DispatchQueue, _ ring: @escaping @Sendable () -> Void) {
        timer = Mutex(Self.started(time, queue, ring))
    }

    package func cancel() { timer.withLock { Self.stop($0) } }

    // Dispatch calls nothing back while it cancels a source, unlike a task.
    private static func stop(_ timer: any DispatchSourceTimer) { timer.cancel() }

    private static func started(
        _ time: Duration, _ queue: DispatchQueue, _ ring: @escaping @Sendable () -> Void
    ) -> sending any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
            timer.cancel()
            ring()
        }
        timer.schedule(deadline: .now() + .milliseconds(Int(time / .milliseconds(1))))
        timer.activate()
        return timer
    }
}
