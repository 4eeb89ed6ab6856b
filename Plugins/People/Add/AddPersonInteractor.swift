import ViperKit

struct AddPersonInteractor: Interactor, AddPersonInteracting {
    let service: any PersonService

    func add(name: String, age: Int) async throws(ViperError) -> Person {
        try await service.create(name: name, age: age)
    }
}
