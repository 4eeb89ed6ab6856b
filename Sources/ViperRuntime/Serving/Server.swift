import Dispatch
package import JSONRPC
import Synchronization
package import ViperKit

/// A server that offers a host's routes to other programs and hosts.
///
/// Only module code runs on the main actor. A slow or disconnected client does not affect other clients.
package final class Server: Sendable {
    private struct State {
        var socket: ServerSocket?
        var clients: [Int: ServedClient] = [:]
        /// The processes of clients, by the clients' numbers.
        var processes: [Int: Int32] = [:]
        var lastClient = 0
        var isEnding = false
        var refusals = RefusalLog()
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let host: ViperHost
    private let limits: Limits
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "server")
    /// One of so many connections is left to processes that have none, so that one process cannot keep all others out.
    private static let part = 8

    /// Creates a server for a host. The server does not listen yet.
    ///
    /// - Parameter log: A closure that receives log lines for the operator.
    package init(_ host: ViperHost, limits: Limits, log: @escaping @Sendable (String) -> Void) {
        (self.host, self.limits, self.log) = (host, limits, log)
    }

    /// Listens on a socket, and serves its clients until ``drain()`` is called.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - beat: A closure that is called every second while the server listens. It takes little time.
    /// - Throws: ``ViperError/Code/socketFailed`` if the socket cannot be opened, or if another host is already
    ///   listening on it.
    package func listen(at path: SocketPath, beat: @escaping @Sendable () -> Void = {}) throws(ViperError) {
        let socket = try ServerSocket(at: path, log: log)
        let isEnding = state.withLock { state in
            if !state.isEnding { state.socket = socket }
            return state.isEnding
        }
        if isEnding { return socket.close() }
        socket.start(beat: beat) { self.admit($0) }
    }

    /// Serves a client if it runs as this user or as root, and refuses any other client. The check is needed because
    /// the mode of the socket file may have been changed.
    private func admit(_ descriptor: Int32) {
        do {
            try PeerUser.check(
                descriptor, "cannot serve", "a client",
                fix: "connect as that user, or start your own host")
            serve(reading: descriptor, writing: descriptor, process: PeerUser.process(of: descriptor))
        } catch {
            if let line = state.withLock({ $0.refusals.line(for: error.summary) }) { log(line) }
            Peer(LineConnection(reading: descriptor, writing: descriptor, limits: limits), limits: limits).refuse(error)
        }
    }

    /// Serves a client over two descriptors, and takes ownership of the descriptors.
    ///
    /// - Parameters:
    ///   - process: The process at the other end. Nil if it is unknown.
    ///   - onEnd: A closure that is called when the connection has ended, before its scenes are closed.
    package func serve(
        reading: Int32, writing: Int32, process: Int32? = nil, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        let connection = LineConnection(reading: reading, writing: writing, limits: limits)
        let client = ServedClient(connection, of: host, limits: limits)
        let added = state.withLock { state -> Result<Int, ViperError> in
            if state.isEnding {
                return .failure(
                    .init(
                        .hostEnding, operation: "cannot serve", subject: "a client", cause: "the host is shutting down")
                )
            }
            let isKnown = process.map { process in state.processes.values.contains(process) } ?? false
            let others = isKnown ? limits.connections / Self.part : 0
            if state.clients.count >= limits.connections - others {
                let cause = "all \(limits.connections) connections are in use"
                let share = others == 0 ? "" : ", except \(others) for processes that have none"
                return .failure(.limitReached("connections", cause + share))
            }
            state.lastClient += 1
            state.clients[state.lastClient] = client
            state.processes[state.lastClient] = process
            return .success(state.lastClient)
        }
        do {
            let number = try added.get()
            client.start(onEnd: onEnd) { self.remove(number) }
        } catch {
            client.peer.refuse(error)
        }
    }

    private func remove(_ number: Int) {
        // The client is released after the lock.
        let (client, waiting) = state.withLock { state in
            state.processes[number] = nil
            return (state.clients.removeValue(forKey: number), Self.takeWaiting(&state))
        }
        withExtendedLifetime(client) { waiting.forEach { $0.resume() } }
    }

    /// Waits until no client is connected and the server has stopped listening.
    package func ended() async {
        await withCheckedContinuation { continuation in
            let waiting = state.withLock { state in
                state.waiting.append(continuation)
                return Self.takeWaiting(&state)
            }
            waiting.forEach { $0.resume() }
        }
    }

    private static func takeWaiting(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        if !state.clients.isEmpty || state.socket != nil { return [] }
        defer { state.waiting = [] }
        return state.waiting
    }

    /// Refuses new clients and calls, lets running calls finish, and ends all connections.
    package func drain() {
        let (socket, clients) = state.withLock { state in
            defer { state.socket = nil }
            state.isEnding = true
            return (state.socket, state.clients)
        }
        socket?.close()
        for client in clients.values { client.peer.drain() }
        // By this deadline, every call has reached its time limit. Connections that still have unread responses are
        // then ended.
        let deadline = DispatchTime.now() + .milliseconds(Int((limits.time + .seconds(1)) / .milliseconds(1)))
        queue.asyncAfter(deadline: deadline) {
            for client in clients.values { client.peer.abandon() }
        }
        for continuation in state.withLock({ Self.takeWaiting(&$0) }) { continuation.resume() }
    }
}
