import ViperKit

struct PeopleInteractor: Interactor, PeopleInteracting {
    let service: any PersonService

    func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
        try await service.people(olderThan: age)
    }

    func remove(_ person: Person) async throws(ViperError) { try await service.remove(person) }

    func changes() -> AsyncStream<CollectionChange> { service.changes() }
}
