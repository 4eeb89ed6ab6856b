import ViperKit

/// The home screen's presenter. If nobody is logged in, it opens the login form.
final class HomePresenter: HomePresenting {
    weak var view: (any HomeViewing)?
    private let interactor: any HomeInteracting
    private let wireframe: any HomeNavigating

    init(interactor: any HomeInteracting, wireframe: any HomeNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            guard let userName = try await interactor.userName() else { return await showLogin() }
            view?.show("Welcome, \(userName)")
        } catch {
            // Logging in again replaces the unreadable credential.
            view?.show(
                Alert(title: "Cannot tell who is logged in", message: error.description, actions: [HomeAction.login]))
        }
    }

    func press(_ action: HomeAction) async {
        switch action {
        case .logout: await logOut()
        case .login: await showLogin()
        case .dismiss: view?.show(nil)
        }
    }

    private func logOut() async {
        do { try await interactor.logOut() } catch {
            view?.show(Alert(title: "Cannot log out", message: error.description, actions: [HomeAction.dismiss]))
            return
        }
        await showLogin()
    }

    private func showLogin() async {
        do { try await wireframe.showLogin() } catch {
            view?.show(Alert(title: "Cannot log in", message: error.description, actions: [HomeAction.dismiss]))
        }
    }
}
