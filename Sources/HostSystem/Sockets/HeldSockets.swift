import Glibc
import Synchronization
package import ViperKit

/// The listening sockets of this process, by address.
package final class HeldSockets: ListeningSockets {
    private struct Entry {
        var socket: OpenSocket
        /// The number of holders of the socket, and the number of times that a holder has given it up.
        var holders = 0
        var givenUp = 0
        /// The modules that have asked for the socket.
        var modules: Set<String> = []
        /// True if a service manager has opened the socket. Such a socket never closes, because a module may be unable to
        /// bind its address again.
        var isInherited = false
    }

    private let clock: any Clock<Duration>
    private let entries: Mutex<[String: Entry]>

    /// The time after which a socket closes if nobody holds it. A module that is replaced needs less.
    private static let grace = Duration.seconds(10)

    /// Creates a set of sockets.
    ///
    /// - Parameters:
    ///   - inherited: The descriptors of sockets that listen already, keyed by address. They never close.
    ///   - clock: The clock that measures how long nobody holds a socket.
    package init(inherited: [String: Int32] = [:], clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        entries = Mutex(
            Dictionary(
                uniqueKeysWithValues: inherited.map { address, descriptor in
                    (address, Entry(socket: OpenSocket(descriptor: descriptor, address: address), isInherited: true))
                }))
    }

    package func socket(at address: String) throws(ViperError) -> any ListeningSocket {
        try socket(at: address, for: "")
    }

    /// Returns a socket for a module.
    func socket(at address: String, for module: String) throws(ViperError) -> any ListeningSocket {
        let address = try ListeningAddress(address)
        let key = try address.canonical
        let socket = try entries.withLock { entries throws(ViperError) in
            if entries[key] == nil {
                let (descriptor, reached) = try address.listen()
                entries[key] = Entry(socket: OpenSocket(descriptor: descriptor, address: reached))
            }
            entries[key]?.holders += 1
            entries[key]?.modules.insert(module)
            return entries[key]?.socket
        }
        guard let socket else { preconditionFailure("the entry was just added") }
        return HeldSocket(socket, key: key, of: self)
    }

    /// The addresses of the sockets of a service manager that no module has asked for.
    package var unused: [String] {
        entries.withLock { $0.filter { $0.value.isInherited && $0.value.modules.isEmpty }.keys.sorted() }
    }

    /// Returns true if a module holds a socket, and accepts connections at each socket that it holds. Waits for that until
    /// a deadline.
    package func isAnswering(_ module: String, until deadline: ContinuousClock.Instant) async -> Bool {
        let sockets = entries.withLock { entries in
            entries.values.compactMap { $0.holders > 0 && $0.modules.contains(module) ? $0.socket : nil }
        }
        for socket in sockets {
            guard await isAccepting(socket.descriptor, until: deadline) else { return false }
        }
        return !sockets.isEmpty
    }

    /// Closes a socket after a while, unless somebody holds it by then.
    fileprivate func giveUp(_ key: String) {
        let givenUp = entries.withLock { entries -> Int? in
            guard var entry = entries[key] else { return nil }
            entry.holders -= 1
            entry.givenUp += 1
            entries[key] = entry
            return entry.holders == 0 && !entry.isInherited ? entry.givenUp : nil
        }
        guard let givenUp else { return }
        Task { [clock] in
            try? await clock.sleep(for: Self.grace)
            entries.withLock { entries in
                guard let entry = entries[key], entry.holders == 0, entry.givenUp == givenUp else { return }
                entries[key] = nil
            }
        }
    }
}

/// The listening sockets for one module, so that the host knows which sockets the module holds.
package struct ModuleSockets: ListeningSockets {
    private let sockets: HeldSockets
    private let module: String

    package init(_ sockets: HeldSockets, for module: String) { (self.sockets, self.module) = (sockets, module) }

    package func socket(at address: String) throws(ViperError) -> any ListeningSocket {
        try sockets.socket(at: address, for: module)
    }
}

/// A socket that listens. Deallocating it closes the descriptor.
private final class OpenSocket: Sendable {
    let descriptor: Int32
    let address: String

    init(descriptor: Int32, address: String) {
        (self.descriptor, self.address) = (descriptor, address)
        CloseOnFork.insert(descriptor)
    }

    deinit {
        CloseOnFork.remove(descriptor)
        close(descriptor)
    }
}

/// A holder of a socket.
private final class HeldSocket: ListeningSocket {
    private let socket: OpenSocket
    private let key: String
    private let sockets: HeldSockets

    init(_ socket: OpenSocket, key: String, of sockets: HeldSockets) {
        (self.socket, self.key, self.sockets) = (socket, key, sockets)
    }

    deinit { sockets.giveUp(key) }

    var descriptor: Int32 { socket.descriptor }
    var address: String { socket.address }
}
