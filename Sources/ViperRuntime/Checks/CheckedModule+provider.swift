import DataProviders
import ViperKit

/// Checks that a data provider follows the documented rules.
extension CheckedModule {
    func faultsOfDataProvider() async throws(ViperError) -> [String] {
        // Each store has its own host. A second provider for a store is resolved from the same host, as it would be for
        // another module.
        var hosts: [String: CheckHost] = [:]
        let broken = await failedConformanceChecks(announce: announce) { store in
            let host = if let host = hosts[store] { host } else { try await host(store: store) }
            hosts[store] = host
            return try await host.dataProvider()
        }
        for host in hosts.values { await host.end() }
        return broken + (try await faultsOfRestart())
    }

    private struct Note: Record, Equatable {
        var id: String
    }

    /// Checks that a record survives a restart. A second host must find a record that the first host has acknowledged.
    /// Each host loads its own copy of the library, so the two hosts share no memory.
    private func faultsOfRestart() async throws(ViperError) -> [String] {
        let note = Note(id: "1")
        let first = try await host(store: "restart")
        try await first.dataProvider().insert(note, into: "notes")
        await first.end()
        let second = try await host(store: "restart")
        let kept = try await second.dataProvider().all(Note.self, in: "notes")
        await second.end()
        return kept == [note]
            ? [] : ["an acknowledged record survives a restart of the host: found \(kept.count) of 1 records"]
    }
}
