import Testing

@_spi(Host) import ViperKit

/// The registrations of a module, which need no instance of it.
@MainActor
struct RegistrarTests {
    final class Nowhere: Navigator {
        func open(
            _ route: String, parameters: [String: ParameterValue], as transition: Transition
        ) async throws(ViperError) {}
        func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {}
    }

    struct NoServices: ServiceResolver {
        func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
            throw ViperError(
                .serviceDenied, operation: "cannot resolve service", subject: key.name, cause: "the test has none")
        }
        func resolveOrCreate<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
            try resolve(key)
        }
        func all<Service>(
            _ key: ServiceKey<Service>
        ) throws(ViperError) -> AsyncStream<[OfferedService<Service>]> { AsyncStream { $0.finish() } }
    }

    struct PersonRoute: RouteArguments {
        static let route = "person"
        var id: Int
    }

    final class Titled: View {
        let screen: Screen
        init(_ title: String) { screen = Screen(title: title) }
    }

    final class People: Module {
        nonisolated let name = "people"
        init(services: any ServiceResolver) {}

        static func register(with registrar: Registrar<People>) {
            registrar.route("list") { module, request in Titled("\(module.name) \(request.parameters)") }
            registrar.route(PersonRoute.self) { module, person, _ in Titled("\(module.name) \(person.id)") }
            registrar.service(ServiceKey<String>("motto"), .singleton) { module, _ in "motto of \(module.name)" }
            registrar.service(ServiceKey<Int>("logger"), .perModule) { _, services in
                try services.resolve(ServiceKey<Int>("logger"))
            }
        }
    }

    private func registrar() -> Registrar<People> {
        let registrar = Registrar<People>()
        People.register(with: registrar)
        return registrar
    }

    @Test("Routes and services are recorded in order, with argument types and scopes")
    func recorded() {
        let registrar = registrar()
        #expect(registrar.routes.map(\.name) == ["list", "person"])
        #expect(registrar.routes.map { $0.arguments.map { "\($0)" } } == [nil, "PersonRoute"])
        #expect(registrar.services.map(\.name) == ["motto", "logger"])
        #expect(registrar.services.map(\.scope) == [.singleton, .perModule])
    }

    @Test("A route's closure gets the module and the request, or the decoded arguments")
    func views() throws {
        let (registrar, module) = (registrar(), People(services: NoServices()))
        func title(_ index: Int, _ parameters: [String: ParameterValue]) throws -> String {
            let request = RouteRequest(route: "r", parameters: parameters, navigator: Nowhere())
            return try registrar.routes[index].view(of: module, for: request).screen.title
        }
        #expect(try title(0, ["a": .integer(1)]) == "people [\"a\": 1]")
        #expect(try title(1, ["id": .integer(7)]) == "people 7")
        let error = #expect(throws: ViperError.self) { try title(1, [:]) }
        #expect(error?.code == .parameterMissing && error?.subject == "id")
    }

    @Test("A service's factory gets the module and its services")
    func services() async throws {
        let (registrar, module) = (registrar(), People(services: NoServices()))
        let motto = try await registrar.services[0].make(for: module, with: NoServices())
        #expect((motto as? ServiceBox<String>)?.service == "motto of people")
        await #expect(throws: ViperError.self) {
            try await registrar.services[1].make(for: module, with: NoServices())
        }
    }
}
