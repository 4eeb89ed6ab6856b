import Testing
import ViperKit
import ViperTesting

@testable import FormTemplate

/// The whole module against a real registry, router and container, with entries in memory.
@MainActor
struct FormSceneTests {
    private let provider = MemoryDataProvider()

    private func open() async throws -> TestScene {
        let entry = ModuleEntry(FormTemplateModule.self)
        let host = try TestHost(entry, manifest: "form-template.json") { services in
            services.provide(.dataProvider, provider)
        }
        return try await host.open("form-template")
    }

    @Test("a filled form is kept, and its scene closes")
    func adding() async throws {
        let scene = try await open()
        try await scene.fill("name", "Tea")
        try await scene.fill("amount", "2")
        try await scene.press("add")
        #expect(scene.isClosed && scene.screen.text == "Added 2 × Tea")
        #expect(try await provider.all(Entry.self, in: FormInteractor.collection).map(\.name) == ["Tea"])
    }

    @Test("an empty form stays, and leaves nothing behind")
    func empty() async throws {
        let scene = try await open()
        try await scene.press("add")
        #expect(scene.screen.form?.fields.first?.error == "must not be empty")
        scene.expectDeallocated()
    }
}
