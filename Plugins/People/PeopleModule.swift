import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_People)
public func peopleModule() -> UnsafeRawPointer { ModuleEntry.export(PeopleModule.self) }

/// A module that lists people and adds new people. The host's data provider stores them.
final class PeopleModule: RoutedModule {
    static let routeArguments: [any RouteArguments.Type] = [PeopleListRoute.self, AddPersonRoute.self]

    private let people: any PersonService

    init(services: any ServiceResolver) throws {
        people = ProvidedPersonService(provider: try services.resolve(.dataProvider))
    }

    func view(for request: RouteRequest) throws -> any View {
        switch request.route {
        case AddPersonRoute.route:
            return AddPersonWireframe.assemble(people: people, navigator: request.navigator)
        case PeopleListRoute.route:
            let age = try request.arguments(as: PeopleListRoute.self).olderThan
            return PeopleWireframe.assemble(olderThan: age, people: people, navigator: request.navigator)
        default: throw request.unknownRouteError
        }
    }
}
