import ViperKit

/// The login form's presenter.
///
/// Only the presenter stores the password. It clears the password when a login attempt starts.
final class LoginPresenter: LoginPresenting {
    weak var view: (any LoginViewing)?
    private var model = LoginViewModel()
    private var password = ""
    private var isLoggingIn = false
    private let interactor: any LoginInteracting
    private let wireframe: any LoginNavigating

    init(interactor: any LoginInteracting, wireframe: any LoginNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() { view?.show(model.form) }

    func fill(_ field: LoginField, with text: String) {
        switch field {
        case .userName: model.userName.text = text
        case .password: setPassword(text)
        }
        view?.show(model.form)
    }

    func press(_ action: LoginAction) async {
        switch action {
        case .login: await logIn()
        case .dismiss: view?.show(nil)
        }
    }

    private func setPassword(_ text: String) { (password, model.hasPassword) = (text, !text.isEmpty) }

    private func logIn() async {
        if isLoggingIn { return }
        let (userName, password) = (model.validate(), password)
        if userName != nil { setPassword("") }
        view?.show(model.form)
        guard let userName else { return }
        isLoggingIn = true
        defer { isLoggingIn = false }
        view?.show(nil)
        view?.showLoading()
        do { try await interactor.logIn(userName: userName, password: password) } catch {
            return show(error, as: "Cannot log in")
        }
        // The user is already logged in, so this error only means that the next screen cannot be opened.
        do { try await wireframe.goOn() } catch { show(error, as: "Cannot go on") }
    }

    private func show(_ error: ViperError, as title: String) {
        view?.show(Alert(title: title, message: error.description, actions: [LoginAction.dismiss]))
    }
}
