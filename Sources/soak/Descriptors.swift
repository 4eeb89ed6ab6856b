import Foundation
import TestSupport

/// More clients connect than the host has descriptors for.
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
            try expect(title == "1", "the module shows \(title)")
        }
        try await served.expectAlive()
        try expect(served.host.log.contains("cannot take a connection"), "the host does not say why clients wait")
        return "\(clients) clients at \(limit) descriptors: \(met.first) served at once, the others in turn; "
            + "an open meanwhile: \(met.reason); all well afterwards"
    }

    /// What the clients have met.
    private struct Met {
        /// How many were served at once.
        var first: Int
        /// What an open was answered when no descriptor was left.
        var reason: String
    }

    /// Connects all clients, lets those who are served act, and then go, until all have been served.
    private static func crowd(_ socket: String, _ isShort: Bool) throws -> Met {
        var waiting = try (0..<clients).map { _ in try asking(socket) }
        var served: [Client] = []
        // As many as there is room for, until for a while no other is.
        func take(for patience: Duration) throws {
            var others: [Client] = []
            for client in waiting {
                let answer = try client.answer(within: patience)
                if answer?.result != nil {
                    served.append(client)
                } else if let error = answer?.error {
                    // Those who have gone count until their scenes are closed; who is told so comes again.
                    try expect(error.data?.code == "limit-reached", "a client is refused: \(error.message)")
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
        try expect(0 < first && first < limit, "\(first) clients are served at once with \(limit) descriptors")
        // Those who are in are served, and what needs a descriptor fails with its reason.
        for client in served { _ = try client.call("modules") }
        let opened = try served[0].ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
        let reason = opened.error.map(\.message) ?? "shows \(opened.result?.screen?.title ?? "nothing")"
        while !waiting.isEmpty {
            try expect(ContinuousClock.now < deadline, "\(waiting.count) clients are never served")
            served = []
            try take(for: .milliseconds(300))
        }
        return Met(first: first, reason: reason)
    }

    /// A client that has asked something, and not looked for the answer.
    private static func asking(_ socket: String) throws -> Client {
        let client = try Client(socket)
        try client.begin("routes")
        return client
    }
}
