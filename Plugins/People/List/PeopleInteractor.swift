import ViperKit

struct PeopleInteractor: Interactor, PeopleInteracting {
    let service: any PersonService

    func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
        try await service.people(olderThan: age)
    }

    func changes() -> AsyncStream<CollectionChange> { service.changes() }
}
