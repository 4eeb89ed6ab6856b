import CSystem
import Dispatch
import Glibc
import Synchronization

/// The threads that wait until registered descriptors become ready, with epoll(7).
///
/// A thread that receives an event also handles it, so no other thread has to wake up. The kernel reports a descriptor
/// to one thread only, and not again until the event has been handled. There are several threads so that a slow handler
/// does not delay the other descriptors.
final class Poller: Sendable {
    static let shared = Poller()

    private static let threads = 4

    /// A registration with the poller. It is armed while the kernel watches for its event.
    private struct Watch {
        let readiness: Readiness
        var isArmed = true
    }

    private let epoll: Int32
    /// The registrations of each descriptor: at most one for reading and one for writing.
    private let watches = Mutex<[Int32: [Watch]]>([:])

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
        let failure = watches.withLock { watches in
            var all = watches[descriptor] ?? []
            let operation = all.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
            all.removeAll { $0.readiness === readiness }
            all.append(Watch(readiness: readiness))
            watches[descriptor] = all
            return control(operation, descriptor, all)
        }
        guard let failure else { return }
        // Regular files are always ready, so epoll refuses them. If descriptors or memory are exhausted, the handler
        // finds out whether the descriptor is ready.
        readiness.handle(after: .milliseconds(failure == EPERM ? 0 : 10))
    }

    func remove(_ readiness: Readiness) {
        let descriptor = readiness.descriptor
        watches.withLock { watches in
            guard var all = watches[descriptor], let index = all.firstIndex(where: { $0.readiness === readiness })
            else { return }
            all.remove(at: index)
            watches[descriptor] = all.isEmpty ? nil : all
            // This can only fail if the descriptor was never added.
            _ = control(all.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, descriptor, all)
        }
    }

    private func wait() {
        // A thread takes one event at a time, so that the other threads can handle the others.
        var event = epoll_event()
        guard epoll_wait(epoll, &event, 1, -1) == 1 else { return }
        let (descriptor, events) = (event.data.fd, event.events)
        // The readiness retains the descriptor. Otherwise, its number could be reused for another file.
        let ready = watches.withLock { watches -> [Readiness] in
            guard var all = watches[descriptor] else { return [] }
            var ready: [Readiness] = []
            for index in all.indices where all[index].isArmed && all[index].readiness.matches(events) {
                all[index].isArmed = false
                ready.append(all[index].readiness)
            }
            watches[descriptor] = all
            if all.contains(where: \.isArmed) { _ = control(EPOLL_CTL_MOD, descriptor, all) }
            return ready
        }
        for readiness in ready { readiness.handle() }
    }

    /// Changes the kernel's registration of a descriptor.
    ///
    /// - Returns: The error number, or nil if the call succeeded.
    private func control(_ operation: Int32, _ descriptor: Int32, _ watches: [Watch]) -> Int32? {
        var event = epoll_event()
        // A reported descriptor is disabled until the next call of this function.
        event.events = EPOLLONESHOT.rawValue
        for watch in watches where watch.isArmed { event.events |= watch.readiness.event }
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? nil : errno
    }
}
