import CSystem
import Dispatch
import Glibc
import HostSystem
import Synchronization
package import ViperKit

/// The listening socket of a server. The socket's file exists while the server is listening. Only this user can
/// connect.
///
/// Programs that clean up folders may remove the file, or the lock file beside it. The server then opens another socket at
/// the same path.
package final class ServerSocket: Sendable {
    private struct State {
        /// The registration for new connections. Nil while the socket is not watched.
        var arrival: Readiness?
        var listening: Descriptors?
        var accept: (@Sendable (Int32) -> Void)?
        var lock: SocketLock
        /// The socket's file. A removed file keeps its number while the socket is open.
        var file: BoundFile?
        /// The reason why a removed file cannot be replaced. It is logged once.
        var loss: String?
        /// True if a lack of resources was logged and clients have been waiting since then.
        var wasFull = false
    }

    private struct BoundFile: Equatable {
        let device: UInt
        let number: UInt

        init?(at path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }

    private let path: SocketPath
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
        let lock = try SocketLock(path)
        do throws(ViperError) {
            state = Mutex(State(listening: try Self.listen(at: path), lock: lock, file: BoundFile(at: path.file)))
        } catch {
            lock.release()
            throw error
        }
    }

    private static func listen(at path: SocketPath) throws(ViperError) -> Descriptors {
        let descriptor = try SocketPath.socket(flags: Int32(SOCK_NONBLOCK.rawValue))
        let listening = Descriptors(reading: descriptor, writing: descriptor)
        try removeStale(path)
        // The mode is set before `bind`, because Linux gives the file the socket's mode. If the mode were set later,
        // another user could connect in between.
        fchmod(descriptor, 0o600)
        guard path.withAddress({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            throw SocketPath.failure(path.path, systemReason(errno))
        }
        return listening
    }

    /// Starts to accept connections.
    ///
    /// - Parameters:
    ///   - beat: A closure that is called every second on the socket's queue. It takes little time.
    ///   - accept: A closure that receives the descriptor of each connection.
    package func start(beat: @escaping @Sendable () -> Void = {}, accept: @escaping @Sendable (Int32) -> Void) {
        state.withLock { $0.accept = accept }
        observe()
        checkLater(beat)
    }

    /// Stops accepting connections, and removes the file.
    package func close() {
        let (arrival, listening, file, lock) = state.withLock { state in
            defer { (state.arrival, state.listening, state.accept) = (nil, nil, nil) }
            return (state.arrival, state.listening, state.file, state.lock)
        }
        arrival?.cancel()
        // Another host may have taken the path.
        if listening != nil, let file, file == BoundFile(at: path.file) { unlink(path.file) }
        lock.release()
    }

    private func checkLater(_ beat: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self, self.state.withLock({ $0.listening != nil }) else { return }
            self.check()
            beat()
            self.checkLater(beat)
        }
    }

    /// Opens the socket or its lock file again if another program has removed it. Runs on the queue.
    private func check() {
        let (lock, file) = state.withLock { ($0.lock, $0.file) }
        do throws(ViperError) {
            if !lock.isInPlace {
                // Fails if another host has taken the path.
                let new = try SocketLock(path)
                let isListening = state.withLock { state in
                    if state.listening != nil { state.lock = new }
                    return state.listening != nil
                }
                (isListening ? lock : new).release()
            }
            if let file, file == BoundFile(at: path.file) { return }
            if try listenAgain() { log("another program has removed the socket \(path.path); it is open again") }
        } catch {
            let isNew = state.withLock { state in
                defer { state.loss = error.cause }
                return state.loss != error.cause
            }
            if isNew {
                log(
                    "another program has removed the socket \(path.path), and it cannot be opened again: \(error.cause); "
                        + "clients cannot connect until this host is restarted or the cause is removed")
            }
        }
    }

    /// Opens another socket at the path. Returns false if the server has stopped meanwhile.
    private func listenAgain() throws(ViperError) -> Bool {
        // A module may have changed the working folder.
        let listening = try Self.listen(at: (try? SocketPath(path.file)) ?? path)
        let file = BoundFile(at: path.file)
        let (old, arrival) = state.withLock { state in
            let earlier = (state.listening, state.arrival)
            if state.listening != nil {
                (state.listening, state.arrival, state.file, state.loss) = (listening, nil, file, nil)
            }
            return earlier
        }
        arrival?.cancel()
        guard let old else {
            unlink(path.file)
            return false
        }
        // The connections that clients have made before.
        take(from: old)
        observe()
        return true
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
