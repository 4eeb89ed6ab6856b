import ViperKit

struct TodoListInteractor: Interactor, TodoListInteracting {
    let service: any TodoService

    func todos() async throws(ViperError) -> [Todo] { try await service.all() }
}
