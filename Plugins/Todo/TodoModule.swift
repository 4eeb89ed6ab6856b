import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Todo)
public func todoModule() -> UnsafeRawPointer { ModuleEntry.export(TodoModule.self) }

/// A module that lists todos and shows a todo's details. It fetches the todos from the server in its configuration.
final class TodoModule: Module {
    private struct Settings: Decodable {
        var baseURL: String
    }

    private let todos: any TodoService
    private let environment = TodoEnvironment(title: "Todos")

    init(services: any ServiceResolver) throws {
        let settings = try services.resolve(.configuration).decode(Settings.self)
        todos = try HTTPTodoService(
            client: try services.resolve(.httpClient), json: try services.resolve(.json),
            baseURL: settings.baseURL)
    }

    static func register(with registrar: Registrar<TodoModule>) {
        registrar.route("todos") { module, request in
            TodoListWireframe.assemble(
                todos: module.todos, environment: module.environment, navigator: request.navigator)
        }
        registrar.route(TodoRoute.self) { module, todo, navigator in
            TodoWireframe.assemble(
                id: todo.id, todos: module.todos, environment: module.environment, navigator: navigator)
        }
    }
}
