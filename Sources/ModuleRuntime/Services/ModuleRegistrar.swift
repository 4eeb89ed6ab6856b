import ViperKit

/// A registrar for the services that a module's manifest declares.
struct ModuleRegistrar: ServiceRegistrar {
    let services: ModuleServices
    let provides: [String]

    private var module: String { services.consumer.module }
    private var manifest: String { services.consumer.manifestFile }

    func register<Service>(
        _ key: ServiceKey<Service>, scope: ServiceScope,
        factory: @escaping @Sendable (any ServiceResolver) async throws -> Service
    ) throws(ViperError) {
        guard provides.contains(key.name) else {
            throw undeclared(
                key.name, "the manifest of \"\(module)\" does not provide it", "add it to \"provides\" in \(manifest)")
        }
        guard [.singleton, .perModule].contains(scope) else {
            throw ViperError(
                .scopeUnknown, operation: "cannot register service", subject: key.name,
                cause: "the scope is \"\(scope.rawValue)\", expected \"\(ServiceScope.singleton.rawValue)\" or "
                    + "\"\(ServiceScope.perModule.rawValue)\"",
                fix: "use a scope that ViperKit \(SDK.version) declares")
        }
        // The settings select another provider, so this registration is allowed but has no effect.
        if services.consumer.unselectedServices.contains(key.name) { return }
        let module = module
        // The container is part of `services`, so a strong reference would keep both alive after the module has
        // stopped.
        let isFree = services.own.register(key, provider: module, scope: scope) { [weak services] _ in
            guard let services else {
                throw ViperError(
                    .moduleRetired, operation: "cannot use module", subject: module, cause: "it has stopped")
            }
            return try await factory(services)
        }
        if !isFree {
            throw undeclared(key.name, "it is registered twice", "register it once in registerServices(with:)")
        }
    }

    /// Throws an error if the module has not registered a service that its manifest declares.
    func checkCompleteness() throws(ViperError) {
        let registered = services.own.names(from: module).union(services.consumer.unselectedServices)
        if let missing = provides.first(where: { !registered.contains($0) }) {
            throw undeclared(
                missing, "the manifest of \"\(module)\" provides it, but its code does not register it",
                "register it in registerServices(with:), or remove it from \(manifest)")
        }
    }

    private func undeclared(_ name: String, _ cause: String, _ fix: String) -> ViperError {
        ViperError(
            .serviceUndeclared, operation: "cannot register service", subject: name, cause: cause,
            fix: fix)
    }
}
