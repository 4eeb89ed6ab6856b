import ViperKit

/// A module gets what it requires, and can live with less.
extension CheckedModule {
    func faultsOfServices() async throws(ViperError) -> [String] {
        _ = try await faultsOfRoutes()
        return denials.all.map(\.fault)
    }

    func faultsOfMissingServices() async throws(ViperError) -> [String] {
        let (whole, manifest, _) = try await host()
        await whole.shutDown()
        for service in manifest.requires {
            let (host, _, file) = try await host(withholding: service)
            // Whatever comes of it, an error or a screen that shows one: what counts is that the process is still here.
            _ = try? await host.module(fromManifest: file)
            for route in manifest.routes { _ = await faults(route, in: host) }
            await host.shutDown()
        }
        return []
    }
}
