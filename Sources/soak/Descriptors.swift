import Foundation
import HostDriver

/// A scenario in which more clients connect than the host has file descriptors.
enum Descriptors: Scenario {
    static let name = "descriptors"
    private static let limit = 64
    private static let clients = 100

    static func run(isShort: Bool) async throws -> String {
        let served = try await Served(shell: "ulimit -n \(limit)")
        let met = try await served.explaining { try await onOwnThread { try crowd(served.socket, isShort) } }
        try await onOwnThread {
            let client = try Client(served.socket)
            let title = try client.open(VersionedModule.route).screen.title
            try expect(title == "1", "the module shows \(title), expected 1")
        }
        try await served.expectAlive()
        try expect(served.host.log.contains("cannot accept a connection"), "the host does not say why clients wait")
        return "\(clients) clients at \(limit) descriptors: \(met.first) served at once, the others later; "
            + "a concurrent open: \(met.reason); normal operation afterwards"
    }

    private struct Met {
        /// The number of clients that were served immediately.
        var first: Int
        /// The answer to an `open` request that was sent while no descriptor was free.
        var reason: String
    }

    /// Connects all clients. Then repeatedly disconnects the clients that have been served, until all clients have been
    /// served.
    private static func crowd(_ socket: String, _ isShort: Bool) throws -> Met {
        var waiting = try (0..<clients).map { _ in try asking(socket) }
        var served: [Client] = []
        // Moves every client that receives an answer within the timeout from `waiting` to `served`.
        func take(for timeout: Duration) throws {
            var others: [Client] = []
            for client in waiting {
                let answer = try client.answer(within: timeout)
                if answer?.result != nil {
                    served.append(client)
                } else if let error = answer?.error {
                    // A closed connection counts towards the host's limit until its scenes are closed. If the host
                    // refuses a client for this reason, the client connects again.
                    try expect(error.data?.code == "limit-reached", "a client was refused: \(error.message)")
                    others.append(try asking(socket))
                } else {
                    others.append(client)
                }
            }
            waiting = others
        }
        let deadline = ContinuousClock.now + Patience.limit
        repeat {
            try take(for: .milliseconds(isShort ? 20 : 100))
        } while served.isEmpty && ContinuousClock.now < deadline
        let first = served.count
        try expect(0 < first && first < limit, "\(first) clients were served at once, expected 1 to \(limit - 1)")
        // Connected clients must still be served. A call that needs a descriptor may fail.
        for client in served { _ = try client.call("modules") }
        let opened = try served[0].ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
        let reason = opened.error.map(\.message) ?? "shows \(opened.result?.screen?.title ?? "nothing")"
        while !waiting.isEmpty {
            try expect(
                ContinuousClock.now < deadline, "\(waiting.count) clients were not served within \(Patience.limit)")
            served = []
            try take(for: .milliseconds(300))
        }
        return Met(first: first, reason: reason)
    }

    /// Returns a new client that has sent a request without waiting for its answer.
    private static func asking(_ socket: String) throws -> Client {
        let client = try Client(socket)
        try client.begin("routes")
        return client
    }
}
