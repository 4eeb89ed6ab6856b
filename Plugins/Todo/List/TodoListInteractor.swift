import ViperKit

struct TodoListInteractor: Interactor, TodoListInteracting {
    let service: any TodoService
    let kept: KeptTodos

    func source() async throws(ViperError) -> TodoSource { try await service.source() }

    func todos() async throws(ViperError) -> TodoList {
        do {
            let list = try await service.all()
            kept.keep(list)
            return list
        } catch  where error.code == .httpFailed {
            return try await keptList(because: error)
        }
    }

    /// Returns the kept list of the source that could not be reached.
    private func keptList(because failure: ViperError) async throws(ViperError) -> TodoList {
        do {
            if let list = try await kept.list(of: try await service.source()) { return list }
        } catch {
            var failure = failure
            failure.notes.append(.init("kept list", error.summary))
            throw failure
        }
        throw failure
    }
}
