import CSystem
import Dispatch
import Glibc
import Synchronization

/// Waits for descriptors, all of them on one thread, where nothing else is done.
final class Poller: Sendable {
    static let shared = Poller()

    private struct State {
        var wanted: [ObjectIdentifier: Readiness] = [:]
        /// Whether the thread waits for what was wanted before.
        var isPolling = false
    }

    private let state = Mutex(State())
    /// A pipe. What is written to it ends a wait, so that another begins.
    private let bell: Descriptors
    /// In milliseconds. Without a bell, when the process has too many descriptors open, it is looked again and again.
    private let patience: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        patience = pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 ? -1 : 10
        bell = Descriptors(reading: ends[0], writing: ends[1])
        DispatchQueue(label: "poller").async { while true { self.poll() } }
    }

    /// Waits for it, until it is ready.
    func add(_ readiness: Readiness) { change { $0[ObjectIdentifier(readiness)] = readiness } }

    /// Waits for it no more.
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
        // Held until the call returns: no number that it waits for is closed, and given to another file, meanwhile.
        let wanted = state.withLock { state in
            state.isPolling = true
            return Array(state.wanted.values)
        }
        var states = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
        states += wanted.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        // When it fails (a signal, too little memory) nothing is ready, and the next turn tries again.
        _ = Glibc.poll(&states, nfds_t(states.count), patience)
        let ready = state.withLock { state in
            state.isPolling = false
            // What was cancelled meanwhile is not there any more.
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
