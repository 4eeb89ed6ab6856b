import CSystem
package import Dispatch
import Synchronization

/// A registration that calls a closure on a queue when a descriptor becomes ready, or when its other end closes.
///
/// This type replaces `DispatchSource`, which can crash the process on Linux when the other end closes. The source
/// frees Dispatch's record of the descriptor on its own queue while Dispatch's manager thread still reads the record
/// (swift-corelibs-libdispatch, issue 949). In addition, a source does not report that the reader of a full pipe has
/// closed it, and Dispatch's thread then spins. Timers and inotify have no other end, so sources are safe for them.
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
        /// True if the closure runs in the poller's thread.
        var isInPlace = false
        /// A closure that returns true to arm the readiness again.
        let call: @Sendable () -> Bool
    }

    package init(of descriptors: Descriptors, _ direction: Direction, on queue: DispatchQueue) {
        (self.descriptors, self.queue) = (descriptors, queue)
        switch direction {
        case .reading: (descriptor, event) = (descriptors.reading, EPOLLIN.rawValue)
        case .writing: (descriptor, event) = (descriptors.writing, EPOLLOUT.rawValue)
        }
    }

    /// Calls a closure on the queue each time the descriptor is ready. The calls do not overlap.
    package func start(_ body: @escaping @Sendable () -> Void) {
        register(
            Callback {
                body()
                return true
            })
    }

    /// Calls a closure on the queue, in the thread that received the event. This avoids a thread switch.
    ///
    /// - Parameter body: A closure that takes very little time, because only a few threads receive the events of all
    ///   descriptors. It returns false if it leaves work to do. In that case, no event is reported until ``resume()``
    ///   is called.
    package func startInPlace(_ body: @escaping @Sendable () -> Bool) {
        register(Callback(isInPlace: true, call: body))
    }

    private func register(_ new: Callback) {
        // Lock order: this lock, then the poller's. It is held, so that a cancelled readiness is never registered.
        callback.withLock { callback in
            callback = new
            Poller.shared.add(self)
        }
    }

    /// Reports events again after the closure returned false. Has no effect after ``cancel()``.
    package func resume() { callback.withLock { if $0 != nil { Poller.shared.add(self) } } }

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

    /// Runs the callback. The poller reports no further event of this readiness until the callback has returned.
    func handle() {
        guard let callback = callback.withLock({ $0 }) else { return }
        if callback.isInPlace { queue.sync { self.callBack() } } else { queue.async { self.callBack() } }
    }

    /// Runs the callback after a delay if the descriptor is ready then.
    func check(after delay: DispatchTimeInterval) {
        queue.asyncAfter(deadline: .now() + delay) {
            if self.descriptors.isReady(self.descriptor, for: self.event) { self.callBack() } else { self.resume() }
        }
    }

    private func callBack() {
        guard let callback = callback.withLock({ $0 }) else { return }
        if callback.call() { resume() }
    }
}
