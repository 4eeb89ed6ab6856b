import CSystem
import Dispatch
import Glibc
import HostSystem
import Synchronization
package import ViperKit

/// The listening socket of a server. The socket's file exists while the server is listening. Only this user can
/// connect.
package final class ServerSocket: Sendable {
    private struct State {
        /// The registration for new connections. Nil while the socket is not watched.
        var arrival: Readiness?
        var listening: Descriptors?
        var accept: (@Sendable (Int32) -> Void)?
        /// True if a lack of resources was logged and clients have been waiting since then.
        var wasFull = false
    }

    private let path: SocketPath
    private let lock: SocketLock
    private let queue = DispatchQueue(label: "server socket")
    private let state: Mutex<State>
    private let log: @Sendable (String) -> Void

    /// Creates a socket at a path. Removes a stale socket that a killed host has left there.
    ///
    /// - Parameter log: A closure that receives the reasons why clients cannot be accepted.
    /// - Throws: ``ViperError/Code/socketFailed`` if the socket cannot be created, or if another program already
    ///   listens on it.
    package init(at path: SocketPath, log: @escaping @Sendable (String) -> Void) throws(ViperError) {
        (self.path, self.log) = (path, log)
        lock = try SocketLock(path)
        let descriptor = try SocketPath.socket(flags: Int32(SOCK_NONBLOCK.rawValue))
        state = Mutex(State(listening: Descriptors(reading: descriptor, writing: descriptor)))
        do {
            try Self.removeStale(path)
        } catch {
            lock.release()
            throw error
        }
        // The mode is set before `bind`, because Linux gives the file the socket's mode. If the mode were set later,
        // another user could connect in between.
        fchmod(descriptor, 0o600)
        guard path.withAddress({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let number = errno
            lock.release()
            throw SocketPath.failure(path.path, systemReason(number))
        }
    }

    package func start(accept: @escaping @Sendable (Int32) -> Void) {
        state.withLock { $0.accept = accept }
        observe()
    }

    /// Stops accepting connections, and removes the file.
    package func close() {
        let (arrival, listening) = state.withLock { state in
            defer { (state.arrival, state.listening, state.accept) = (nil, nil, nil) }
            return (state.arrival, state.listening)
        }
        arrival?.cancel()
        if listening != nil { unlink(path.file) }
        lock.release()
    }

    private func observe() {
        let arrival = state.withLock { state -> (Readiness, Descriptors)? in
            guard let listening = state.listening, state.arrival == nil else { return nil }
            let arrival = Readiness(of: listening, .reading, on: queue)
            state.arrival = arrival
            return (arrival, listening)
        }
        guard let (arrival, listening) = arrival else { return }
        arrival.start { self.take(from: listening) }
        // The socket may have been closed before the registration was started.
        if state.withLock({ $0.arrival !== arrival }) { arrival.cancel() }
    }

    private func take(from listening: Descriptors) {
        while let accept = state.withLock({ $0.accept }) {
            // The connection to a client must not get descriptor 0, 1 or 2, because modules print to them.
            StandardDescriptors.claim()
            let descriptor = StandardDescriptors.avoid(
                accept4(listening.reading, nil, nil, Int32(SOCK_CLOEXEC.rawValue)))
            if descriptor >= 0 {
                accept(descriptor)
            } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                return pause(errno)
            } else if ![EINTR, ECONNABORTED].contains(errno) {
                // No client is waiting.
                state.withLock { $0.wasFull = false }
                return
            }
        }
    }

    /// Stops accepting connections, and resumes after a delay. A waiting client keeps the socket readable, so watching
    /// the socket would cause a busy loop.
    private func pause(_ number: Int32) {
        let (isFirst, arrival) = state.withLock { state in
            defer { state.wasFull = true }
            return (!state.wasFull, state.arrival.take())
        }
        arrival?.cancel()
        if isFirst { log("cannot accept a connection: \(systemReason(number)); retrying") }
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { self.observe() }
    }

    private static func removeStale(_ path: SocketPath) throws(ViperError) {
        var status = stat()
        guard lstat(path.path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketPath.failure(path.path, "a file with this name exists, and is not a socket")
        }
        // The lock only proves that no host listens on the socket. Another program may listen on it.
        let descriptor = try SocketPath.socket(flags: Int32(SOCK_NONBLOCK.rawValue))
        defer { Glibc.close(descriptor) }
        let number = path.connect(descriptor)
        switch number {
        case ECONNREFUSED, ENOENT: break
        case EACCES: throw SocketPath.failure(path.path, "the socket belongs to \(PeerUser.name(of: status.st_uid))")
        default:
            // A successful connection reveals the program's user. Other errors, such as a full queue, reveal only that
            // the program listens.
            let detail = number == 0 ? PeerUser.complaint(descriptor) : systemReason(number)
            throw SocketPath.failure(
                path.path, "another program already listens on it" + (detail.map { "; \($0)" } ?? ""))
        }
        if unlink(path.path) == 0 || errno == ENOENT { return }
        let cause =
            "a socket of \(PeerUser.name(of: status.st_uid)) exists, and cannot be removed: \(systemReason(errno))"
        throw SocketPath.failure(path.path, cause)
    }
}
