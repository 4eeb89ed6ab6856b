import CSystem
package import Dispatch
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
    /// The requested event. See epoll_ctl(2).
    let event: UInt32
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
        case .reading: (descriptor, event) = (descriptors.reading, EPOLLIN.rawValue)
        case .writing: (descriptor, event) = (descriptors.writing, EPOLLOUT.rawValue)
        }
    }

    /// Calls a closure each time the descriptor is ready. The calls do not overlap.
    ///
    /// The closure must not block, because only a few threads handle the events of all descriptors.
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

    /// Returns true if events reported by epoll concern this readiness. An error or a closed other end concerns both
    /// directions.
    func matches(_ events: UInt32) -> Bool { events & (event | EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }

    /// Runs the callback on the queue, in the current thread. The poller reports no further event until the callback has
    /// returned.
    func handle() { queue.sync { self.callBack() } }

    /// Runs the callback on the queue after a delay.
    func handle(after delay: DispatchTimeInterval) {
        queue.asyncAfter(deadline: .now() + delay) { self.callBack() }
    }

    private func callBack() {
        guard let callback = callback.withLock({ $0 }) else { return }
        callback.call()
        self.callback.withLock { if $0 != nil { Poller.shared.add(self) } }
    }
}
