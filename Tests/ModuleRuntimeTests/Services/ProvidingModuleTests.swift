import HostDriver
import Testing

@_spi(Host) import ViperKit

@testable import ModuleRuntime

/// A module that provides the service `a`, with a factory of the test.
final class ProvidingModule: Module {
    typealias Factory = @Sendable (any ServiceResolver) async throws -> Numbered

    private let services: any ServiceResolver

    init(services: any ServiceResolver) { self.services = services }

    static func register(with registrar: Registrar<ProvidingModule>) {}

    /// Creates the module in the generation of these services.
    @MainActor
    static func make(with services: ModuleServices, factory: @escaping Factory) throws -> any RunningModule {
        let registrar = Registrar<ProvidingModule>()
        registrar.service(.a, .singleton) { _, services in try await factory(services) }
        return try LocalModule("p", code: LocalCode(registrar, from: nil), services: services)
    }
}

/// The services of a module, made by the factories that it has registered.
@MainActor
struct ProvidingModuleTests {
    private let container = ServiceContainer(timeLimit: Patience.limit)

    /// Returns the services of a module that provides these services, and may use `c`.
    private func services(providing names: Set<String>) -> ModuleServices {
        ModuleServices(
            consumer: ServiceConsumer(
                module: "p", manifestFile: "Manifests/p.json", allowed: names.union(["c"]), offers: names,
                provides: names,
                folders: []
            ),
            own: ServiceContainer(beside: container), host: container, providers: [:])
    }

    @Test("A factory resolves the services of its module")
    func resolving() async throws {
        let services = services(providing: ["a"])
        container.provide(.c) { _ in Numbered(5) }
        let module = try ProvidingModule.make(with: services) {
            Numbered(try await $0.resolveOrCreate(.c).number + 1)
        }
        #expect(try await services.resolveOrCreate(.a).number == 6)
        withExtendedLifetime(module) {}
    }

    @Test("A factory cannot resolve a service that its module does not require")
    func denied() async throws {
        let services = services(providing: ["a"])
        let module = try ProvidingModule.make(with: services) { try $0.resolve(.b) }
        let error = try #require(await services.failure(.a))
        #expect(error.code == .serviceDenied)
        #expect(error.cause == "the module \"p\" does not require it")
        #expect(error.notes == [.init("requested by", "module p → a → b")])
        withExtendedLifetime(module) {}
    }

    @Test("A service for which the module is not the selected provider is not registered")
    func unselected() throws {
        let services = services(providing: [])
        _ = try ProvidingModule.make(with: services) { _ in Numbered(1) }
        #expect(services.own.names.isEmpty)
    }

    @Test("A factory throws after its module has stopped, and keeps neither the module nor its services")
    func stopped() async throws {
        let services = services(providing: ["a"])
        weak var instance: (any Module)?
        do {
            let module = try ProvidingModule.make(with: services) { _ in Numbered(1) }
            instance = module.module
            #expect(instance != nil)
        }
        #expect(instance == nil)
        #expect(await services.failure(.a)?.code == .serviceFailed)
    }
}
