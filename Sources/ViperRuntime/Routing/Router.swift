public import ViperKit

/// The central router: finds the module that answers a route, checks the parameters, and opens a scene.
///
/// Finding a route loads nothing. Opening one loads its module, if that has not happened yet, and no other.
public struct Router: Sendable {
    let registry: Registry
    let activator: Activator

    /// Opens a route with parameters as a person types them.
    ///
    /// - Throws: ``ViperError`` when the route is unknown or contested, a parameter is wrong, or the module refused.
    public func open(_ route: String, texts: [String: String]) async throws(ViperError) -> Scene {
        let entry = try find(route)
        var parameters: [String: ParameterValue] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            let parameter = try entry.route.parameter(name)
            guard let value = parameter.type.value(from: text) else { throw entry.route.mismatch(parameter, text) }
            parameters[name] = value
        }
        return try await open(entry, with: parameters)
    }

    /// Opens a route with typed parameters.
    ///
    /// - Throws: As ``open(_:texts:)``.
    public func open(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) -> Scene {
        try await open(find(route), with: parameters)
    }

    private func open(
        _ entry: RouteTable.Entry, with parameters: [String: ParameterValue]
    ) async throws(ViperError) -> Scene {
        let complete = try entry.route.complete(parameters)
        let module = try await activator.activate(entry.claimants[0])
        return try await Scene(opening: entry.route.name, with: complete, in: module)
    }

    private func find(_ route: String) throws(ViperError) -> RouteTable.Entry {
        let snapshot = registry.snapshot
        guard let entry = snapshot.routes[route] else {
            let near = nearestNames(to: route, in: snapshot.routes.names)
            let (modules, routes) = (snapshot.modules.count, snapshot.routes.all.count)
            let place = "Manifests (\(count(modules, "module")), \(count(routes, "route")))"
            throw ViperError(
                .routeUnknown, "cannot open route", route, cause: "no module provides it",
                notes: [.init("looked in", place)]
                    + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]))
        }
        guard !entry.isContested else {
            throw ViperError(
                .routeContested, "cannot open route", route, cause: "\(entry.claimants.count) modules claim it",
                notes: entry.claimants.map { .init("claimed by", $0) }, mend: "rename it in, or remove, all but one")
        }
        return entry
    }
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
