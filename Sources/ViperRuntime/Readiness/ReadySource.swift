import Dispatch
import Glibc
import Synchronization

/// Tells, again and again, that a descriptor can be read from or written to, or that its other end has gone.
///
/// It stands in the place of Dispatch's sources, and is used as they are. On Linux those keep books that are freed while the kernel
/// still refers to them, when many come and go whose other ends go too: the process ends then in `_dispatch_event_loop_drain`
/// (swift-corelibs-libdispatch, issue 949). A host that starts a worker for each library it has never seen met that after some
/// hundred of them.
final class ReadySource: Sendable {
    private struct State {
        var event: (@Sendable () -> Void)?
        var cancellation: (@Sendable () -> Void)?
        var isCancelled = false
    }

    let descriptor: Int32
    /// As `poll` has them.
    let events: Int16
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private init(_ descriptor: Int32, _ events: Int32, _ queue: DispatchQueue) {
        (self.descriptor, self.events, self.queue) = (descriptor, Int16(events), queue)
    }

    /// A source whose handlers run on a serial queue.
    static func reading(_ descriptor: Int32, on queue: DispatchQueue) -> ReadySource {
        ReadySource(descriptor, POLLIN, queue)
    }

    /// A source whose handlers run on a serial queue.
    static func writing(_ descriptor: Int32, on queue: DispatchQueue) -> ReadySource {
        ReadySource(descriptor, POLLOUT, queue)
    }

    /// What is done each time. Until it has been done, nothing more is told.
    func setEventHandler(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.event = body } }

    /// What is done when nothing refers to the descriptor any more, so that it may be closed.
    func setCancelHandler(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.cancellation = body } }

    /// Begins to tell. From then on the source lives until it is cancelled.
    func activate() { ReadyLoop.shared.add(self) }

    /// Tells nothing more, but what is being told. More than once is once.
    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if !isFirst { return }
        ReadyLoop.shared.remove(self)
        queue.async {
            let cancellation = self.state.withLock { state in
                defer { (state.event, state.cancellation) = (nil, nil) }
                return state.cancellation
            }
            cancellation?()
        }
    }

    /// For the loop, which has let go of the source.
    func tell() {
        queue.async {
            guard let event = self.state.withLock({ $0.isCancelled ? nil : $0.event }) else { return }
            event()
            if !self.state.withLock(\.isCancelled) { ReadyLoop.shared.add(self) }
        }
    }

    var isCancelled: Bool { state.withLock(\.isCancelled) }
}
