import Testing
import ViperKit
import ViperTesting

@testable import FormTemplate

/// Tests for the whole module in a real registry, router and container. The entries are stored in memory.
@MainActor
struct FormSceneTests {
    private let provider = MemoryDataProvider()

    private func open() async throws -> TestScene {
        let host = try TestHost(FormTemplateModule.self, manifest: "form-template.json") { services in
            services.provide(.dataProvider, provider)
        }
        return try await host.open("form-template")
    }

    @Test("a valid entry is stored, and the scene closes")
    func adding() async throws {
        let scene = try await open()
        try await scene.fill("name", "Tea")
        try await scene.fill("amount", "2")
        try await scene.press("add")
        #expect(scene.isClosed && scene.screen.text == "Added 2 × Tea")
        #expect(try await provider.all(Entry.self, in: FormInteractor.collection).map(\.name) == ["Tea"])
    }

    @Test("an empty form shows an error, and all objects of the scene are freed")
    func empty() async throws {
        let scene = try await open()
        try await scene.press("add")
        #expect(scene.screen.form?.fields.first?.error == "must not be empty")
        await scene.expectDeallocated()
    }
}
