package import Dispatch
import Glibc
import Synchronization

/// A registration that calls a closure on a queue when a descriptor becomes ready, or when its other end closes.
///
/// This type replaces `DispatchSource`, which can crash the process on Linux when the other end closes. The source
/// frees Dispatch's record of the descriptor on its own queue while Dispatch's manager thread still reads the record
/// (swift-corelibs-libdispatch, issue 949). In addition, a source does not report that the reader of a full pipe has
/// closed it, and Dispatch's thread then spins. Timers, signals and inotify have no other end, so sources are safe for
/// them.
package final class Readiness: Sendable {
    package enum Direction { case reading, writing }

    let descriptor: Int32
    /// The requested events. See poll(2).
    let events: Int16
    /// The descriptors. This reference keeps them open while the poller holds this value.
    private let descriptors: Descriptors
    private let queue: DispatchQueue
    /// The closure to call. Nil before ``start(_:)`` and after ``cancel()``.
    private let callback = Mutex<Callback?>(nil)

    /// A struct that wraps a closure. `Mutex` is generic, so each `withLock` call that stores a bare closure adds two
    /// reabstraction thunks to the closure. After many calls, running the closure would overflow the stack.
    private struct Callback {
        let call: @Sendable () -> Void
    }

    package init(of descriptors: Descriptors, _ direction: Direction, on queue: DispatchQueue) {
        (self.descriptors, self.queue) = (descriptors, queue)
        switch direction {
        case .reading: (descriptor, events) = (descriptors.reading, Int16(POLLIN))
        case .writing: (descriptor, events) = (descriptors.writing, Int16(POLLOUT))
        }
    }

    /// Calls a closure each time the descriptor is ready. The calls do not overlap.
    package func start(_ body: @escaping @Sendable () -> Void) {
        callback.withLock { current in
            current = Callback(call: body)
            Poller.shared.add(self)
        }
    }

    /// Stops further callbacks. If you call this method on the queue, no callback runs after it returns.
    package func cancel() {
        // Returns the callback, so that its captures are released outside the lock.
        _ = callback.withLock { callback in
            defer { callback = nil }
            Poller.shared.remove(self)
            return callback
        }
    }

    /// Schedules the callback. The poller stops polling the descriptor before it calls this method. Polling resumes
    /// after the callback returns.
    func tell() {
        queue.async { [self] in
            guard let callback = callback.withLock({ $0 }) else { return }
            callback.call()
            self.callback.withLock { if $0 != nil { Poller.shared.add(self) } }
        }
    }
}
