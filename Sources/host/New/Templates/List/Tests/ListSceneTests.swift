import Testing
import ViperKit
import ViperTesting

@testable import ListTemplate

/// Tests for the whole module in a real registry, router and container. The files are fakes.
@MainActor
struct ListSceneTests {
    private func open(_ file: String) async throws -> TestScene {
        let host = try TestHost(ListTemplateModule.self, manifest: "list-template.json") { services in
            services.provide(.fileReader, FakeFileReader(["items.json": file]))
        }
        return try await host.open("list-template")
    }

    @Test("a selected item's detail is shown above the list, and all objects of the scene are freed")
    func list() async throws {
        let scene = try await open(#"[{"title": "Tea", "group": "Warm", "detail": "Green"}]"#)
        try await scene.select("0")
        #expect(
            scene.text == """
                List template
                Tea: Green
                Warm
                  Tea
                  [close] Close

                """)
        await scene.expectDeallocated()
    }

    @Test("a malformed file causes an alert with its name and the position")
    func malformed() async throws {
        let scene = try await open("[oops]")
        #expect(scene.screen.alert?.message?.contains("items.json:1:2") == true)
        try await scene.press("close")
        #expect(scene.isClosed)
    }
}
