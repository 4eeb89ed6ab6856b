import CSystem
import Dispatch
import Glibc
import Synchronization

/// The threads that use epoll(7) to wait until registered descriptors become ready.
///
/// The kernel reports a ready descriptor to only one thread, and does not report it again until the event has been
/// handled. There are several threads, so that a handler that runs on one of them does not delay other descriptors.
final class Poller: Sendable {
    static let shared = Poller()

    private static let threads = 4

    /// A registered ``Readiness``. It is armed while the kernel watches for its event.
    private struct Watch {
        let readiness: Readiness
        var isArmed = true
    }

    /// The registration of a descriptor.
    private struct Registration {
        /// The value that the kernel returns with each event. The lower half is the descriptor, and the upper half is
        /// the registration's number.
        ///
        /// Before a reported event is handled, the descriptor can be closed and its number reused for another file. The
        /// event then has the key of the earlier registration and is ignored.
        let key: UInt64
        /// At most one watch for reading and one for writing.
        var watches: [Watch] = []

        init(_ number: UInt32, of descriptor: Int32) {
            key = UInt64(number) << 32 | UInt64(UInt32(bitPattern: descriptor))
        }
    }

    private struct State {
        var lastNumber: UInt32 = 0
        var registrations: [Int32: Registration] = [:]
    }

    private let epoll: Int32
    /// Lock order: the lock of a ``Readiness``, then this one.
    private let state = Mutex(State())

    private init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        if epoll >= 0 { CloseOnFork.insert(epoll) }
        for number in 0..<(epoll < 0 ? 0 : Self.threads) {
            DispatchQueue(label: "poller \(number)").async { while true { self.wait() } }
        }
    }

    /// Registers a readiness, or arms it again after its event was handled.
    func add(_ readiness: Readiness) {
        let descriptor = readiness.descriptor
        let failure = state.withLock { state in
            if state.registrations[descriptor] == nil { state.lastNumber &+= 1 }
            var registration = state.registrations[descriptor] ?? Registration(state.lastNumber, of: descriptor)
            let operation = registration.watches.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
            registration.watches.removeAll { $0.readiness === readiness }
            registration.watches.append(Watch(readiness: readiness))
            state.registrations[descriptor] = registration
            return control(operation, descriptor, registration)
        }
        guard let failure else { return }
        // Regular files are always ready, so epoll refuses them. epoll also fails if descriptors or memory are
        // exhausted. In both cases, the readiness checks the descriptor itself.
        readiness.check(after: .milliseconds(failure == EPERM ? 0 : 10))
    }

    func remove(_ readiness: Readiness) {
        let descriptor = readiness.descriptor
        state.withLock { state in
            guard var registration = state.registrations[descriptor],
                let index = registration.watches.firstIndex(where: { $0.readiness === readiness })
            else { return }
            registration.watches.remove(at: index)
            let isLast = registration.watches.isEmpty
            state.registrations[descriptor] = isLast ? nil : registration
            // This can only fail if the descriptor was never added.
            _ = control(isLast ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, descriptor, registration)
        }
    }

    private func wait() {
        // A thread takes one event at a time, so that the other threads can handle the remaining events.
        var event = epoll_event()
        guard epoll_wait(epoll, &event, 1, -1) == 1 else {
            // If a module has closed the descriptor, each call fails immediately, and the thread would spin.
            if errno != EINTR { usleep(100_000) }
            return
        }
        handle(event.events, of: event.data.u64)
    }

    /// Returns the key of a descriptor's registration, or nil if the descriptor is not registered.
    func key(of descriptor: Int32) -> UInt64? { state.withLock { $0.registrations[descriptor]?.key } }

    /// Handles events of the registration with this key.
    func handle(_ events: UInt32, of key: UInt64) {
        let descriptor = Int32(truncatingIfNeeded: key)
        // The readiness retains the descriptor, which therefore stays open until the event is handled.
        let ready = state.withLock { state -> [Readiness] in
            guard var registration = state.registrations[descriptor], registration.key == key else { return [] }
            var ready: [Readiness] = []
            for index in registration.watches.indices {
                let watch = registration.watches[index]
                guard watch.isArmed, watch.readiness.matches(events) else { continue }
                registration.watches[index].isArmed = false
                ready.append(watch.readiness)
            }
            state.registrations[descriptor] = registration
            if registration.watches.contains(where: \.isArmed) { _ = control(EPOLL_CTL_MOD, descriptor, registration) }
            return ready
        }
        for readiness in ready { readiness.handle() }
    }

    /// Changes the kernel's registration of a descriptor.
    ///
    /// - Returns: The error number, or nil if the call succeeded.
    private func control(_ operation: Int32, _ descriptor: Int32, _ registration: Registration) -> Int32? {
        var event = epoll_event()
        // EPOLLONESHOT disables a reported descriptor until the next call of this function.
        event.events = EPOLLONESHOT.rawValue
        for watch in registration.watches where watch.isArmed { event.events |= watch.readiness.event }
        event.data.u64 = registration.key
        if epoll_ctl(epoll, operation, descriptor, &event) == 0 { return nil }
        // An earlier attempt to add the descriptor may have failed because memory was exhausted.
        guard operation == EPOLL_CTL_MOD, errno == ENOENT else { return errno }
        return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 ? nil : errno
    }
}
