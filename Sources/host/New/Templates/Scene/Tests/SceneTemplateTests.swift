import Testing
import ViperKit
import ViperTesting

@testable import SceneTemplate

@MainActor
struct SceneTemplateTests {
    @Test("the module opens the scene, and all its objects are freed")
    func opening() async throws {
        let host = try TestHost(SceneTemplateModule.self, manifest: "scene-template.json") { _ in }
        let scene = try await host.open("scene-template/new-scene")
        #expect(
            scene.text == "New scene\n  NewSceneInteractor.swift returns this line.\n  [close] Close\n")
        await scene.expectDeallocated()
    }
}
