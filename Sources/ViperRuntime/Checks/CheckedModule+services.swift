import ModuleCatalog
import ViperKit

/// Checks that a module needs only its required services, and does not crash if one of them is missing.
extension CheckedModule {
    func faultsOfServices() async throws(ViperError) -> [String] {
        _ = try await faultsOfRoutes()
        return try await process.ask(.denials, as: [ViperError].self).map(\.fault)
    }

    func faultsOfMissingServices() async throws(ViperError) -> [String] {
        try await end(host())
        for service in manifest.requires {
            let host = try await process.ask(.host(withheld: service, store: nil), as: Int.self)
            // The module may fail or show an error. The check passes if the process survives.
            _ = try? await make(in: host)
            for route in manifest.routes { _ = await faults(route, in: host) }
            try await end(host)
        }
        return []
    }
}
