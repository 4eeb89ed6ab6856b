import Testing
import ViperKit
import ViperTesting

@testable import ListTemplate

/// The whole module against a real registry, router and container, with files that the test makes up.
@MainActor
struct ListSceneTests {
    private func open(_ file: String) async throws -> TestScene {
        let entry = ModuleEntry(ListTemplateModule.self)
        let host = try TestHost(entry, manifest: "list-template.json") { services in
            services.provide(.fileReader, FakeFileReader(["items.json": file]))
        }
        return try await host.open("list-template")
    }

    @Test("a chosen item's detail shows above the list, and closing leaves nothing behind")
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
        scene.expectDeallocated()
    }

    @Test("a malformed file is an alert with file and position")
    func malformed() async throws {
        let scene = try await open("[oops]")
        #expect(scene.screen.alert?.message?.contains("items.json:1:2") == true)
        try await scene.press("close")
        #expect(scene.isClosed)
    }
}
