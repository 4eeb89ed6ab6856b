import ViperKit

struct PeopleInteractor: Interactor, PeopleInteracting {
    let service: any PersonService

    func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
        let everybody = try await service.all()
        guard let age else { return everybody }
        return everybody.filter { $0.age > age }
    }
}
