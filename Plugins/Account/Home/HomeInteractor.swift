import ViperKit

/// The use case: know who is logged in, and log them out.
struct HomeInteractor: Interactor, HomeInteracting {
    let local: any AccountLocalDataManaging

    func userName() async throws(ViperError) -> String? { try await local.userName() }

    func logOut() async throws(ViperError) { try await local.forget() }
}
