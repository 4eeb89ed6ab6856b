import ViperKit

/// The use case: find out what there is to do.
struct TodoListInteractor: Interactor, TodoListInteracting {
    let service: any TodoService

    func todos() async throws(ViperError) -> [Todo] { try await service.all() }
}
