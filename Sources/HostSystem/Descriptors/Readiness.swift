package import Dispatch
import Glibc
import Synchronization

/// A registration that calls a closure on a queue when a descriptor becomes ready, or when its other end closes.
///
/// `DispatchSource` is unsafe here: on Linux it may crash the process when the other end closes. The source frees
/// Dispatch's record of the descriptor on its own queue while Dispatch's manager thread still reads it
/// (swift-corelibs-libdispatch, issue 949). A source also does not report that the reader of a full pipe has closed it,
/// and then Dispatch's thread spins. Timers, signals and inotify have no other end, so they can use a source.
package final class Readiness: Sendable {
    package enum Direction { case reading, writing }

    let descriptor: Int32
    /// The requested events, as in poll(2).
    let events: Int16
    /// The descriptors, retained so that they stay open while the poller holds this value.
    private let descriptors: Descriptors
    private let queue: DispatchQueue
    /// Nil before ``start(_:)`` and after ``cancel()``.
    private let callback = Mutex<Callback?>(nil)

    /// A closure in a struct. `Mutex` is generic, so each `withLock` that stores a bare closure back wraps it in two
    /// more reabstraction thunks. In the end, calling it overflows the stack.
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

    /// Starts calling the closure each time the descriptor is ready, one call at a time.
    package func start(_ body: @escaping @Sendable () -> Void) {
        callback.withLock { current in
            current = Callback(call: body)
            Poller.shared.add(self)
        }
    }

    /// Stops further callbacks. If this is called on the queue, no callback runs afterwards.
    package func cancel() {
        // Returns the callback, so that its captures are released outside the lock.
        _ = callback.withLock { callback in
            defer { callback = nil }
            Poller.shared.remove(self)
            return callback
        }
    }

    /// Schedules the callback. The poller calls this after it has stopped polling the descriptor; polling resumes after
    /// the callback returns.
    func tell() {
        queue.async { [self] in
            guard let callback = callback.withLock({ $0 }) else { return }
            callback.call()
            self.callback.withLock { if $0 != nil { Poller.shared.add(self) } }
        }
    }
}
