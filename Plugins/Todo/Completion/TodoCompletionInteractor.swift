import ViperKit

protocol TodoCompleting: Sendable {
    /// Marks a todo as done, or as not done. Returns the todo as the server has it now.
    func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo
}

struct TodoCompletionInteractor: Interactor, TodoCompleting {
    let service: any TodoService

    func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo {
        try await service.complete(id, isDone: isDone)
    }
}
