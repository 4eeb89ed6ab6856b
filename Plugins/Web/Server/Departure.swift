import Dispatch
import Synchronization
import ViperKit

/// A server that accepts no new connections, and answers on those that it has accepted.
///
/// A client whose connection was accepted may be about to send a request. If this server closed the connection, the client
/// would get no answer. So it stays until each client has got one, while the next version of the module serves new clients.
final class Departure: Sendable {
    private let registry: any ModuleRegistry
    private let clock: any Clock<Duration>
    private let server = Mutex<Server?>(nil)

    /// The name of the module in the registry.
    private static let module = "web"
    private static let pause = Duration.milliseconds(50)
    /// The time for requests that are being received or answered when the host ends.
    private static let grace = Duration.seconds(2)

    init(registry: any ModuleRegistry, clock: any Clock<Duration>) { (self.registry, self.clock) = (registry, clock) }

    /// Notes a server that accepts no connections any more.
    func begin(_ server: Server) { self.server.withLock { $0 = server } }

    /// Waits until the connections of the server have ended, and stops it. Does nothing if no server was noted.
    ///
    /// Each connection has a time limit. If the host ends, nobody serves the clients afterwards, and only those that have
    /// sent a request get an answer.
    func end() async {
        guard let server = server.withLock({ $0 }) else { return }
        var rest = Self.grace
        while server.connections.count > 0 {
            if await !isReplaced() {
                if !server.isBusy || rest <= .zero { break }
                rest -= Self.pause
            }
            server.connections.shutOverdue()
            guard (try? await clock.sleep(for: Self.pause)) != nil else { break }
        }
        await stop(server)
        self.server.withLock { $0 = nil }
    }

    /// Stops a server on a thread of the queue, because that waits for the server's thread.
    private func stop(_ server: Server) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "web-stop").async {
                server.stop()
                continuation.resume()
            }
        }
    }

    /// Returns true if another version of the module serves.
    private func isReplaced() async -> Bool {
        let modules = try? await registry.modules()
        return modules?.contains { $0.name == Self.module && $0.state == .active } ?? false
    }
}
