import ViperKit

struct HomeInteractor: Interactor, HomeInteracting {
    let local: any AccountLocalDataManaging

    func userName() async throws(ViperError) -> String? { try await local.userName() }

    func logOut() async throws(ViperError) { try await local.forget() }
}
