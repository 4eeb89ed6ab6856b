import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Todo)
public func todoModule() -> UnsafeRawPointer { ModuleEntry.export(TodoModule.self) }

/// A module that lists todos and shows a todo's details. It fetches the todos from a server that its users can change,
/// and keeps the last list for use without network.
final class TodoModule: Module {
    private let client: any HTTPClient
    private let session: SessionService?
    private let json: any JSONCoder
    private let environment: TodoEnvironment
    private let kept: KeptTodos

    init(services: any ServiceResolver) throws {
        let configured = try services.resolve(.configuration).decode(TodoSettings.self)
        // A wrong address in the configuration is an error of the module, not of its scenes.
        _ = try BaseURL(configured.baseURL)
        (client, json) = (try services.resolve(.httpClient), try services.resolve(.json))
        // Without the module `account`, nobody can log in. A failure of its services is an error: the requests of a
        // logged-in user must not be sent in nobody's name.
        func ifProvided<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service? {
            do { return try services.resolve(key) } catch {
                if error.code == .serviceMissing { return nil }
                throw error
            }
        }
        session = try ifProvided(.session)
        let store = TodoStore(folder: try services.resolve(.stateFolder), json: json)
        environment = TodoEnvironment(
            configured: configured, store: store, sessionChanges: try ifProvided(.sessionChanges))
        kept = KeptTodos(store: store)
    }

    static func register(with registrar: Registrar<TodoModule>) {
        registrar.route("todos") { module, request in
            TodoListWireframe.assemble(
                todos: module.todos(for: request.navigator), kept: module.kept, environment: module.environment,
                navigator: request.navigator)
        }
        registrar.route(TodoRoute.self) { module, todo, navigator in
            TodoWireframe.assemble(
                id: todo.id, todos: module.todos(for: navigator), environment: module.environment,
                navigator: navigator)
        }
        registrar.route(TodoSettingsRoute.self) { module, _, navigator in
            TodoSettingsWireframe.assemble(environment: module.environment, navigator: navigator)
        }
    }

    nonisolated func run() async throws { try await kept.run() }

    private func todos(for navigator: any Navigator) -> any TodoService {
        HTTPTodoService(
            client: client, session: session, json: json, environment: environment, identity: navigator.identity)
    }
}
