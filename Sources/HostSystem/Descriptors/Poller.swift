import CSystem
import Dispatch
import Glibc
import Synchronization

/// A dedicated thread that polls all registered descriptors.
final class Poller: Sendable {
    static let shared = Poller()

    private struct State {
        var wanted: [ObjectIdentifier: Readiness] = [:]
        /// True while the thread polls a copy of `wanted`.
        var isPolling = false
    }

    private let state = Mutex(State())
    /// The pipe that wakes the thread. Writing a byte ends the current poll. The next poll then uses the updated
    /// registrations.
    private let bell: Descriptors
    /// The timeout of each poll in milliseconds, or -1 for no timeout. If the pipe cannot be created, the thread polls
    /// every 10 ms.
    private let timeout: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        timeout = pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 ? -1 : 10
        bell = Descriptors(reading: ends[0], writing: ends[1])
        DispatchQueue(label: "poller").async { while true { self.poll() } }
    }

    func add(_ readiness: Readiness) { change { $0[ObjectIdentifier(readiness)] = readiness } }

    func remove(_ readiness: Readiness) { change { $0[ObjectIdentifier(readiness)] = nil } }

    private func change(_ body: (inout [ObjectIdentifier: Readiness]) -> Void) {
        let isPolling = state.withLock { state in
            body(&state.wanted)
            defer { state.isPolling = false }
            return state.isPolling
        }
        if isPolling { _ = write(bell.writing, [0], 1) }
    }

    private func poll() {
        // The array retains the descriptors during the poll. Otherwise, a descriptor could be closed and its number
        // reused for another file.
        let wanted = state.withLock { state in
            state.isPolling = true
            return Array(state.wanted.values)
        }
        var states = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
        states += wanted.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        // If `poll` fails because of a signal or a lack of memory, no descriptor is ready, and the loop tries again.
        _ = Glibc.poll(&states, nfds_t(states.count), timeout)
        let ready = state.withLock { state in
            state.isPolling = false
            // A registration that was cancelled during the poll is no longer in `wanted`.
            return zip(wanted, states.dropFirst()).compactMap { readiness, poll in
                poll.revents == 0 ? nil : state.wanted.removeValue(forKey: ObjectIdentifier(readiness))
            }
        }
        if states[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = read(bell.reading, &bytes, bytes.count)
        }
        for readiness in ready { readiness.tell() }
    }
}
