import ViperKit

final class TodoWireframe: Wireframe, TodoNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(
        id: Int, todos: any TodoService, environment: TodoEnvironment, navigator: any Navigator
    ) -> any View {
        let presenter = TodoPresenter(
            id: id, environment: environment, identity: navigator.identity,
            interactor: TodoInteractor(service: todos),
            wireframe: TodoWireframe(navigator: navigator))
        let view = TodoView(environment: environment, presenter: presenter)
        presenter.view = view
        return view
    }

    func close() async { await navigator.close() }
}
