import CSystem
import Dispatch
import Glibc
import Synchronization

/// Waits, on a thread of its own, for all descriptors that sources of this process observe.
///
/// `poll` and not `epoll`: what the kernel looks at is named anew each time, so that nothing it remembers can outlive a source. A
/// host has some hundred descriptors at most.
final class ReadyLoop: Sendable {
    static let shared = ReadyLoop()

    private let waiting = Mutex<[ObjectIdentifier: ReadySource]>([:])
    /// A pipe: what is written into it ends the wait that is going on.
    private let bell: (reading: Int32, writing: Int32)

    /// How long a wait lasts in a process that had no descriptors left for the bell, in milliseconds.
    private static let patience: Int32 = 10

    private init() {
        var ends: [Int32] = [-1, -1]
        bell = pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 ? (ends[0], ends[1]) : (-1, -1)
        DispatchQueue(label: "readiness", qos: .userInitiated).async { self.run() }
    }

    func add(_ source: ReadySource) {
        waiting.withLock { $0[ObjectIdentifier(source)] = source }
        // Cancelled meanwhile, on another thread: whoever comes second takes it out.
        if source.isCancelled { remove(source) } else { ring() }
    }

    /// Ends the wait, too: as long as that goes on, the kernel holds what is closed meanwhile open.
    func remove(_ source: ReadySource) {
        if waiting.withLock({ $0.removeValue(forKey: ObjectIdentifier(source)) }) != nil { ring() }
    }

    private func ring() {
        var byte: UInt8 = 0
        // Full, it rings already.
        _ = write(bell.writing, &byte, 1)
    }

    private func run() -> Never {
        var noise = [UInt8](repeating: 0, count: 512)
        while true {
            let sources = Array(waiting.withLock { $0.values })
            // A negative number is passed over.
            var wanted = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
            wanted += sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            let count = poll(&wanted, nfds_t(wanted.count), bell.reading < 0 ? Self.patience : -1)
            // Interrupted, or short of memory for a moment.
            if count < 0 { continue }
            if wanted[0].revents != 0 { while read(bell.reading, &noise, noise.count) == noise.count {} }
            for (source, state) in zip(sources, wanted.dropFirst()) where state.revents != 0 {
                // One that was cancelled meanwhile has a descriptor that may be another's by now.
                let isWaiting = waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(source)) != nil }
                if isWaiting { source.tell() }
            }
        }
    }
}
