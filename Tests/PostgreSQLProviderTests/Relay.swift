import HostDriver
import TestSupport

/// A relay between a provider and a server, which can lose what the provider sends next. See `relay.py`.
final class Relay: Sendable {
    /// The connection string for the server behind the relay.
    let connection: String
    private let companion: Companion
    private let folder: ScratchFolder

    enum Loss: String { case answer, request, delay, refuse }

    init(to connection: String) async throws {
        folder = try ScratchFolder()
        guard let server = connection.split(separator: " ").first(where: { $0.hasPrefix("host=") })?.dropFirst(5) else {
            throw ChildFailure("no host in \(connection)")
        }
        let script = "\(Products.repository)/Tests/TestSupport/Servers/relay.py"
        companion = try Companion(
            await Python.process(["-B", script, folder.path + "/.s.PGSQL.5432", "\(server)/.s.PGSQL.5432"]))
        guard try await companion.line() == "ready" else { throw ChildFailure("the relay does not start") }
        self.connection = connection.replacing("host=\(server)", with: "host=\(folder.path)")
    }

    /// Loses what the next client sends next.
    func lose(_ loss: Loss) async throws {
        try companion.send(loss.rawValue)
        _ = try await companion.line()
    }

    /// Sends to the server what ``Loss/delay`` has kept back, and waits until the server has executed it.
    func deliver() async throws {
        try companion.send("go")
        _ = try await companion.line()
    }
}
