import HostSystem
import ModuleCatalog
import ViperKit

/// Checks that a module needs only its required services, and does not crash if one of them is missing.
extension CheckedModule {
    func faultsOfServices() async throws(ViperError) -> [String] {
        _ = try await faultsOfRoutes()
        return denials.map(\.fault)
    }

    func faultsOfMissingServices() async throws(ViperError) -> [String] {
        try await host().end()
        for service in manifest.requires {
            let host = try host(withholding: service)
            // The module may fail or show an error. The check passes if the process survives.
            _ = try? await make(in: host)
            for route in manifest.routes { _ = await faults(route, in: host) }
            await host.end()
        }
        return []
    }
}
