import DataProviders
import ViperKit

/// Checks that a data provider follows the documented rules.
extension CheckedModule {
    func faultsOfDataProvider() async throws(ViperError) -> [String] {
        // Each store has its own host. A second provider for a store is resolved from the same host, as it would be for
        // another module.
        var hosts: [String: Int] = [:]
        let broken = await failedConformanceChecks(announce: process.announce) { store in
            let host = if let host = hosts[store] { host } else { try await host(store: store) }
            hosts[store] = host
            return try await provider(in: host)
        }
        for host in hosts.values { try await end(host) }
        return broken + (try await faultsOfRestart())
    }

    private func provider(in host: Int) async throws(ViperError) -> RemoteDataProvider {
        RemoteDataProvider(process: process, number: try await process.ask(.provide(host: host), as: Int.self))
    }

    private struct Note: Record, Equatable {
        var id: String
    }

    /// Checks that a record survives a restart. A second host must find a record that the first host has acknowledged.
    /// Each host loads its own copy of the library, so the two hosts share no memory.
    private func faultsOfRestart() async throws(ViperError) -> [String] {
        let note = Note(id: "1")
        let first = try await host(store: "restart")
        try await provider(in: first).insert(note, into: "notes")
        try await end(first)
        let second = try await host(store: "restart")
        let kept = try await provider(in: second).all(Note.self, in: "notes")
        try await end(second)
        return kept == [note]
            ? [] : ["an acknowledged record survives a restart of the host: found \(kept.count) of 1 records"]
    }
}
