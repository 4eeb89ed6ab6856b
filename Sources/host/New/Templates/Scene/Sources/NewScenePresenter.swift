import ViperKit

/// The scene's presenter. It formats what the interactor returns.
final class NewScenePresenter: NewScenePresenting {
    weak var view: (any NewSceneViewing)?
    private let interactor: any NewSceneInteracting
    private let wireframe: any NewSceneNavigating

    init(
        interactor: any NewSceneInteracting, wireframe: any NewSceneNavigating
    ) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            let lines = try await interactor.lines()
            view?.show(lines.enumerated().map { Row(id: $0.offset, title: $0.element) })
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the content", message: error.summary,
                    actions: [NewSceneAction.close]))
        }
    }

    func press(_ action: NewSceneAction) async {
        switch action {
        case .close: await wireframe.close()
        }
    }
}
