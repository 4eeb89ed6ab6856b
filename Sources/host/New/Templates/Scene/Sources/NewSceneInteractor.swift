import ViperKit

/// The scene's use case. A service that it needs is a property, which the module resolves.
struct NewSceneInteractor: Interactor, NewSceneInteracting {
    func lines() async throws(ViperError) -> [String] {
        ["NewSceneInteractor.swift returns this line."]
    }
}
