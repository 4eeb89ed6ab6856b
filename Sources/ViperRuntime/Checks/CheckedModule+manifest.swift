import ViperKit

/// Manifest and code agree.
extension CheckedModule {
    func faultsOfRoutes() async throws(ViperError) -> [String] {
        let (host, manifest, file) = try await host()
        // A module without routes is made at least.
        do { _ = try await host.module(fromManifest: file) } catch { return [error.fault] }
        var faults: [String] = []
        for route in manifest.routes { faults += await self.faults(route, in: host) }
        await host.shutDown()
        return faults
    }

    func faultsOfUndeclaredRoutes() async throws(ViperError) -> [String] {
        let (host, manifest, file) = try await host()
        // A module of one route need not look at its name.
        guard manifest.routes.count > 1 else { return [] }
        let module = try await host.generation(fromManifest: file)
        let name = "\(manifest.name)/undeclared"
        let window = Window(router: host.router)
        let request = RouteRequest(route: name, parameters: [:], navigator: SceneNavigator(window: window))
        var faults: [String] = []
        // Not by way of the router, which knows the manifest only.
        if (try? await module.content(for: request)) != nil {
            faults.append(
                "view(for:) answers \"\(name)\", and so any route that is misspelt: to mend, throw request.unknownRoute there"
            )
        }
        await host.shutDown()
        return faults
    }

    func faultsOfParameters() async throws(ViperError) -> [String] {
        let (host, manifest, _) = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            for parameter in route.parameters {
                for (index, value) in parameter.type.samples.enumerated() {
                    let found = await self.faults(
                        route, in: host, samples(of: route).merging([parameter.name: value]) { $1 })
                    // A value that is odd may be refused, for reasons of the module's own.
                    if index == 0 { faults += found }
                }
                if let bad = parameter.type.bad {
                    faults += await acceptance(of: [parameter.name: bad], by: route, in: host, .parameterType)
                }
                if parameter.presence == .required {
                    let others = samples(of: route).filter { $0.key != parameter.name }.mapValues(\.text)
                    faults += await acceptance(of: others, by: route, in: host, .parameterMissing)
                }
            }
            let unknown = samples(of: route).mapValues(\.text).merging(["undeclared": "x"]) { $1 }
            faults += await acceptance(of: unknown, by: route, in: host, .parameterUnknown)
        }
        await host.shutDown()
        return faults
    }

    private func acceptance(
        of texts: [String: String], by route: Manifest.Route, in host: ViperHost, _ code: ViperError.Code
    ) async -> [String] {
        let window = Window(router: host.router)
        defer { window.closeAll() }
        do {
            try await window.open(route.name, texts: texts)
            return ["\"\(route.name)\" opens with the parameters \(texts.keys.sorted())"]
        } catch {
            return error.code == code ? [] : [error.fault]
        }
    }
}
