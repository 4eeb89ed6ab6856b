@_spi(Host) import ViperKit

/// A module that runs in this process.
@MainActor
final class LocalModule<M: Module>: RunningModule {
    private let name: String
    private let code: LocalCode<M>
    /// The module. Nil after it has stopped.
    private var instance: M?
    // This property retains the services, because the factories of the module's services hold only a weak reference.
    private let services: ModuleServices

    /// Creates the module and adds its services to the container.
    init(_ name: String, code: LocalCode<M>, services: ModuleServices) throws(ViperError) {
        (self.name, self.code, self.services) = (name, code, services)
        let instance: M
        do { instance = try M(services: services) } catch { throw Self.failure("cannot create module", name, error) }
        self.instance = instance
        // If the settings select another provider, only modules that collect the service use the registration.
        for service in code.services where services.consumer.offers.contains(service.name) {
            register(service)
        }
    }

    private func register(_ service: RegisteredService<M>) {
        let name = name
        // The container is part of `services`, and the module may hold `services`. Strong references would keep all of
        // them alive after the module has stopped.
        let slot = ServiceSlot(service.name, provider: name, scope: service.scope) {
            [weak instance, weak services] _ in
            guard let instance, let services else {
                throw ViperError(.moduleRetired, operation: "cannot use module", subject: name, cause: "it has stopped")
            }
            return try await service.make(for: instance, with: services)
        }
        services.own.register(slot)
    }

    var module: (any Module)? { instance }
    nonisolated var process: Int? { nil }

    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        guard let instance else {
            throw ViperError(.moduleRetired, operation: "cannot use module", subject: name, cause: "it has stopped")
        }
        guard let route = code.routes[request.route] else {
            throw ViperError(
                .moduleFailed, operation: "cannot open route", subject: request.route,
                cause: "the module \"\(name)\" does not register it")
        }
        do { return ViewContent(try route.view(of: instance, for: request)) } catch {
            throw Self.failure("cannot open route", request.route, error)
        }
    }

    func checkHealth() async throws(ViperError) {
        do { try await instance?.checkHealth() } catch { throw Self.failure("cannot use module", name, error) }
    }

    nonisolated func run() async throws(ViperError) {
        guard let instance = await self.instance else { return }
        do { try await instance.run() } catch { throw Self.failure("cannot run module", name, error) }
    }

    /// Stops the module and releases it. The module's deinitializer counts as a part of its stop.
    func stop() async {
        await instance?.stop()
        instance = nil
    }

    /// Wraps an error that a module threw. Keeps the notes and the fix of a `ViperError`.
    nonisolated private static func failure(_ what: String, _ subject: String, _ error: any Error) -> ViperError {
        let inner = error as? ViperError
        return ViperError(
            .moduleFailed, operation: what, subject: subject, cause: inner?.summary ?? "it threw \(error)",
            notes: inner?.notes ?? [],
            fix: inner?.fix)
    }
}
