package import Dispatch
import Glibc
import Synchronization

/// Tells, on a queue, that a descriptor can be read or written without waiting, or that its other end has gone.
///
/// It is there in place of a `DispatchSource`, which may crash the process on Linux when the other end goes: the source then lets
/// go of what Dispatch knows of the descriptor on the source's queue, while Dispatch's own thread is still reading it
/// (swift-corelibs-libdispatch, issue 949). Nor does one tell that the reader of a full pipe has gone: Dispatch's thread then
/// runs without end. A timer, a signal and inotify have no other end, and may keep their source.
package final class Readiness: Sendable {
    package enum Direction { case reading, writing }

    let descriptor: Int32
    /// What is waited for, as poll(2) has it.
    let events: Int16
    /// They stay open as long as the poller has this value.
    private let descriptors: Descriptors
    private let queue: DispatchQueue
    /// Nil before the start, and after the end.
    private let callback = Mutex<Callback?>(nil)

    /// A closure in a struct. `Mutex` is generic: a function type in it is wrapped in two more reabstraction thunks each time that
    /// `withLock` reads it out and stores it back, until calling it overflows the stack.
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

    /// Begins to call this each time, one after the other.
    package func start(_ body: @escaping @Sendable () -> Void) {
        callback.withLock { current in
            current = Callback(call: body)
            Poller.shared.add(self)
        }
    }

    /// Ends it: on its queue, nothing is called any more.
    package func cancel() {
        // What goes with it goes after the lock.
        _ = callback.withLock { callback in
            defer { callback = nil }
            Poller.shared.remove(self)
            return callback
        }
    }

    /// Is called by the poller, which waits for it no more until it has been heard.
    func tell() {
        queue.async { [self] in
            guard let callback = callback.withLock({ $0 }) else { return }
            callback.call()
            self.callback.withLock { if $0 != nil { Poller.shared.add(self) } }
        }
    }
}
