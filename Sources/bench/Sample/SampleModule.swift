import ViperKit

/// A module with one route and all VIPER roles. It is compiled into this program.
final class SampleModule: Module {
    static let route = "sample"
    static let manifest = """
        {"name": "sample", "version": "1.0.0", "library": "libSample.so", "sdk": "1.0",
         "routes": [{"name": "sample", "summary": "Shows rows and a button"}], "requires": ["counter", "tally"]}
        """

    /// The services that the host passed to the module.
    let services: any ServiceResolver
    private let counter: any Counter

    init(services: any ServiceResolver) throws {
        self.services = services
        counter = try services.resolve(.counter)
    }

    static func register(with registrar: Registrar<SampleModule>) {
        registrar.route(route) { module, request in
            SampleWireframe.assemble(counter: module.counter, navigator: request.navigator).view
        }
    }
}

/// The sample's wireframe. It creates the roles and connects them.
final class SampleWireframe: Wireframe {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(
        counter: any Counter, navigator: any Navigator
    ) -> (view: SampleView, presenter: SamplePresenter) {
        let presenter = SamplePresenter(
            interactor: SampleInteractor(counter: counter), wireframe: SampleWireframe(navigator: navigator))
        let view = SampleView(presenter: presenter)
        presenter.view = view
        return (view, presenter)
    }
}

/// The sample's use case. It is not `async`, because a hop to another thread would take longer than the measured
/// operation.
struct SampleInteractor: Interactor {
    let counter: any Counter

    func next(after number: Int) -> Int { number + counter.step }
}

final class SamplePresenter: Presenter {
    weak var view: SampleView?
    private let interactor: SampleInteractor
    private let wireframe: SampleWireframe
    private var number = 0

    init(interactor: SampleInteractor, wireframe: SampleWireframe) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async { view?.show(rows: ["One", "Two", "Three"]) }

    func add() async {
        number = interactor.next(after: number)
        view?.show(number: number)
    }
}
