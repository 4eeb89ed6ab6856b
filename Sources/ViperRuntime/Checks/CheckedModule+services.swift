import ModuleCatalog
import ViperKit

/// A module gets what it requires, and can live with less.
extension CheckedModule {
    func faultsOfServices() async throws(ViperError) -> [String] {
        _ = try await faultsOfRoutes()
        return try await process.ask(.denials, as: [ViperError].self).map(\.fault)
    }

    func faultsOfMissingServices() async throws(ViperError) -> [String] {
        try await end(host())
        for service in manifest.requires {
            let host = try await process.ask(.host(withheld: service, store: nil), as: Int.self)
            // Whatever comes of it, an error or a screen that shows one: what counts is that the process is still here.
            _ = try? await make(in: host)
            for route in manifest.routes { _ = await faults(route, in: host) }
            try await end(host)
        }
        return []
    }
}
