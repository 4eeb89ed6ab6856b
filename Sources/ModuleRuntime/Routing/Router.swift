import HostSystem
package import ModuleCatalog
package import ViperKit

/// A router that finds the module for a route and validates the route's parameters.
///
/// Finding a route does not load any code. Opening a route in a ``Window`` loads the route's module and the module's
/// providers, unless they are already loaded.
package struct Router: Sendable {
    package let registry: Registry
    let activator: Activator
    /// The guards of the routes.
    let guards: RouteGuards
    /// The address that the settings choose as the start. Nil if a module contributes it.
    let start: String?

    /// Creates a router.
    ///
    /// - Parameter log: A closure that receives the errors of guards that fail while no route opens.
    package init(
        registry: Registry, activator: Activator, settings: Settings, log: @escaping @Sendable (ViperError) -> Void
    ) {
        (self.registry, self.activator, start) = (registry, activator, settings.start)
        guards = RouteGuards(settings.guards, registry: registry, activator: activator, log: log)
        activator.set(guards)
    }

    /// Returns the modules that guard a route, in the order in which they are asked.
    package func modules(guarding route: String) -> [String] { guards.modules(guarding: route) }

    /// A route with valid parameters.
    package struct Request: Sendable {
        package let route: Manifest.Route
        /// The parameters, converted to their declared types, with the manifest's defaults added.
        package let parameters: [String: ParameterValue]
        /// The manifest file of the module that provides the route.
        package let manifestFile: String
    }

    /// Validates a route and its parameters, which are given as text. A parameter with an array type has one string for
    /// each item. An empty name stands for the start route.
    ///
    /// - Throws: ``ViperError`` if the route is unknown or contested, or if a parameter is unknown, missing or invalid.
    package func request(_ route: String, texts: [String: [String]]) throws(ViperError) -> Request {
        try request(RouteAddress(route), .texts(texts), in: registry.snapshot)
    }

    /// Validates a route and typed parameters.
    ///
    /// - Throws: The same errors as ``request(_:texts:)``.
    package func request(_ route: String, parameters: [String: ParameterValue]) throws(ViperError) -> Request {
        try request(RouteAddress(route), .values(parameters), in: registry.snapshot)
    }

    private func request(
        _ address: RouteAddress, _ given: UnvalidatedParameters, in snapshot: RegistrySnapshot
    ) throws(ViperError) -> Request {
        let address = address.isEmpty ? try RouteAddress(startAddress(in: snapshot)) : address
        let entry = try find(address.route, in: snapshot)
        let declared = entry.route
        let parameters = try declared.complete(try declared.values(of: given.adding(address)))
        return Request(route: declared, parameters: parameters, manifestFile: entry.file)
    }

    private func find(_ route: String, in snapshot: RegistrySnapshot) throws(ViperError) -> RouteTable.Entry {
        guard let entry = snapshot.routes[route] else {
            if let module = registry.disabledModule(where: { $0.routes.contains { $0.name == route } }) {
                throw ViperError(
                    .routeUnknown, operation: "cannot open route", subject: route,
                    cause: "the module \"\(module)\", which provides it, is disabled",
                    fix: "enable it with host enable \(module)")
            }
            let near = nearestNames(to: route, in: snapshot.routes.names).map { name in
                let isRefused = snapshot.routes[name].flatMap { snapshot.module(from: $0.file) }?.state.isRefused
                return isRefused == true ? "\(name) (refused)" : name
            }
            let (modules, routes) = (snapshot.modules.count, snapshot.routes.count)
            let place = "Manifests (\(counted(modules, "module")), \(counted(routes, "route")))"
            let unread = snapshot.modules.filter { $0.manifest == nil }
            let notes = unread.map { record in
                let error = record.state.refusal
                return ViperError.Note("not usable", error.map { "\($0.subject): \($0.cause)" } ?? record.file)
            }
            // A manifest that cannot be read may declare the route.
            let fix = unread.first?.state.refusal?.fix
            throw ViperError(
                .routeUnknown, operation: "cannot open route", subject: route, cause: "no module provides it",
                notes: [.init("looked in", place)] + notes
                    + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]),
                fix: near.isEmpty
                    ? fix ?? "open a route from a manifest's \"routes\"; host routes lists them" : nil)
        }
        guard !entry.isContested else {
            throw ViperError(
                .routeContested, operation: "cannot open route", subject: route,
                cause: "\(entry.claimants.count) modules claim it",
                notes: entry.claimants.map { .init("claimed by", $0) },
                fix: "rename or remove it in all but one of them")
        }
        return entry
    }
}

extension Router: SceneSource {
    package func open(
        _ route: String, _ parameters: UnvalidatedParameters, navigator: SceneNavigator
    ) async throws(ViperError) -> OpenedScene {
        var (address, parameters, next) = (try RouteAddress(route), parameters, [NextRoute]())
        // A route that no guard watches need not be resolved twice.
        if !guards.mayWatch(address.route) { return try await create(address, parameters, navigator: navigator) }
        while true {
            let request = try request(address, parameters, in: registry.snapshot)
            let name = request.route.name
            let opening = GuardedOpening(
                route: name, parameters: request.parameters, identity: navigator.identity)
            guard let lead = try await guards.lead(before: opening, of: navigator) else {
                // The guards have decided on this route and these parameters. The start route, for example, can be another
                // one by the time the module is loaded.
                var opened = try await create(
                    try RouteAddress(name), .values(request.parameters), navigator: navigator)
                opened.next = next
                return opened
            }
            next.insert(NextRoute(route: name, parameters: request.parameters), at: 0)
            (address, parameters) = (try RouteAddress(lead), .texts([:]))
            if next.contains(where: { $0.route == address.route }) {
                throw ViperError(
                    .routeRefused, operation: "cannot open route", subject: name,
                    cause: "its guards lead to \(address.route), and from there back",
                    fix: "remove \(address.route) from the guarded routes in host.json")
            }
        }
    }

    /// Creates the scene of a route that may open.
    @MainActor
    private func create(
        _ address: RouteAddress, _ parameters: UnvalidatedParameters, navigator: any Navigator
    ) async throws(ViperError) -> OpenedScene {
        while true {
            // Parameters, manifest and generation must come from the same snapshot.
            let snapshot = registry.snapshot
            let request = try request(address, parameters, in: snapshot)
            guard let generation = snapshot.module(from: request.manifestFile)?.generation else {
                _ = try await activator.activate(request.manifestFile)
                continue
            }
            // The generation may have stopped since the snapshot was taken. If so, try again with a new snapshot.
            guard generation.uses.begin() else { continue }
            do {
                let name = request.route.name
                let opening = RouteRequest(route: name, parameters: request.parameters, navigator: navigator)
                let content = try await generation.calls.count(name) { () async throws(ViperError) in
                    try await generation.content(for: opening)
                }
                generation.history.openScene()
                var opened = OpenedScene(
                    route: name, parameters: request.parameters, content: content, calls: generation.calls,
                    onRelease: {
                        generation.history.closeScene()
                        generation.uses.end()
                    })
                opened.resources = generation.resources
                return opened
            } catch {
                generation.uses.end()
                throw error
            }
        }
    }
}
