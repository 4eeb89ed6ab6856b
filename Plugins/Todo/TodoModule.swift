import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Todo)
public func todoModule() -> UnsafeRawPointer { ModuleEntry.export(TodoModule.self) }

/// A module that lists todos and shows a todo's details. It fetches the todos from the server in its configuration.
final class TodoModule: RoutedModule {
    static let routeArguments: [any RouteArguments.Type] = [TodoRoute.self]

    private let todos: any TodoService
    private let environment = TodoEnvironment(title: "Todos")

    init(services: any ServiceResolver) throws {
        todos = try HTTPTodoService(
            client: try services.resolve(.httpClient), json: try services.resolve(.json),
            baseURL: try services.resolve(.configuration).value("baseURL", as: String.self))
    }

    func view(for request: RouteRequest) throws -> any View {
        switch request.route {
        case TodoRoute.route:
            let id = try request.arguments(as: TodoRoute.self).id
            return TodoWireframe.assemble(id: id, todos: todos, environment: environment, navigator: request.navigator)
        case "todos":
            return TodoListWireframe.assemble(todos: todos, environment: environment, navigator: request.navigator)
        default: throw request.unknownRouteError
        }
    }
}
