import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_People)
public func peopleModule() -> UnsafeRawPointer { ModuleEntry.export(PeopleModule.self) }

/// A module that lists people and adds new people. The host's data provider stores them.
final class PeopleModule: Module {
    private let people: any PersonService

    init(services: any ServiceResolver) throws {
        people = ProvidedPersonService(provider: try services.resolve(.dataProvider))
    }

    static func register(with registrar: Registrar<PeopleModule>) {
        registrar.route(PeopleListRoute.self) { module, list, navigator in
            PeopleWireframe.assemble(olderThan: list.olderThan, people: module.people, navigator: navigator)
        }
        registrar.route(AddPersonRoute.self) { module, _, navigator in
            AddPersonWireframe.assemble(people: module.people, navigator: navigator)
        }
    }
}
