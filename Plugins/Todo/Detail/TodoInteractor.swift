import ViperKit

struct TodoInteractor: Interactor, TodoInteracting {
    let service: any TodoService

    func todo(_ id: Int) async throws(ViperError) -> Todo { try await service.todo(id) }
}
