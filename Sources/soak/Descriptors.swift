import Foundation
import TestSupport

/// More clients connect than the host has descriptors for.
enum Descriptors: Scenario {
    static let name = "descriptors"
    private static let limit = 64
    private static let clients = 100

    static func run(isShort: Bool) async throws -> String {
        let served = try await Served(shell: "ulimit -n \(limit)")
        let answered = try await onThread {
            var waiting = try (0..<clients).map { _ in
                let client = try Client(served.socket)
                try client.begin("routes")
                return client
            }
            var answered: [Client] = []
            // As many as there is room for, until for a while no other is.
            func take(for patience: Duration) throws {
                let found = try waiting.filter { try $0.answer(within: patience)?.result != nil }
                answered += found
                waiting.removeAll { client in found.contains { $0 === client } }
            }
            try take(for: .milliseconds(isShort ? 20 : 100))
            let first = answered.count
            try expect(0 < first && first < limit, "\(first) clients are served at once with \(limit) descriptors")
            // Those who are in are served, and what needs a descriptor fails with its reason.
            for client in answered { _ = try client.call("modules") }
            let opened = try answered[0].ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
            let reason = opened.error.map(\.message) ?? "shows \(opened.result?.screen?.title ?? "nothing")"
            while !waiting.isEmpty {
                try expect(!answered.isEmpty, "\(waiting.count) clients are never served")
                answered = []
                try take(for: .milliseconds(300))
            }
            return (first: first, reason: reason)
        }
        try await onThread {
            let client = try Client(served.socket)
            let title = try client.open(VersionedModule.route).screen.title
            try expect(title == "1", "the module shows \(title)")
        }
        try await served.expectAlive()
        try expect(served.host.log.contains("cannot take a connection"), "the host does not say why clients wait")
        return "\(clients) clients at \(limit) descriptors: \(answered.first) served at once, the others in turn; "
            + "an open meanwhile: \(answered.reason); all well afterwards"
    }
}
