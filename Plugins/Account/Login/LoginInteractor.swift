import ViperKit

struct LoginInteractor: Interactor, LoginInteracting {
    let api: any AccountAPIDataManaging
    let local: any AccountLocalDataManaging

    func logIn(userName: String, password: String) async throws(ViperError) {
        let token = try await api.token(userName: userName, password: password)
        try await local.keep(userName: userName, token: token)
    }
}
