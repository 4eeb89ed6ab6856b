import Testing
import ViperKit
import ViperTesting

@testable import AlertScene
@testable import Details
@testable import Launcher
@testable import People

/// The way of a user from the menu through the scenes of other modules, without a shared library.
@MainActor
struct FlowTests {
    private let provider = MemoryDataProvider()

    private func add(_ name: String) async throws {
        try await provider.insert(Person(id: name.lowercased(), name: name, age: 36), into: "people")
    }

    @Test("From the menu a person is shown and removed, through four modules, and all objects are freed")
    func removal() async throws {
        try await add("Ada")
        try await add("Bob")
        let host = try TestHost(LauncherModule.self, manifest: "launcher.json") { setup in
            setup.add(PeopleModule.self, manifest: "people.json")
            setup.add(DetailsModule.self, manifest: "details.json")
            setup.add(AlertSceneModule.self, manifest: "alert.json")
            setup.provide(.dataProvider, provider)
        }
        let scene = try await host.open("launcher")
        try await scene.select("people people")
        try await scene.select("ada")
        #expect(scene.text == "Ada\n  Age   36\n  [remove] Remove\n  [close] Close\n")
        try await scene.press("remove")
        #expect(scene.screen.title == "Remove Ada?")
        try await scene.press("confirm")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.title) == ["Bob - 36"])
        #expect(
            scene.steps.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "replace-root launcher", "push people", "push details", "pop details", "present alert", "dismiss alert",
            ])
        #expect(try await provider.all(Person.self, in: "people").map(\.name) == ["Bob"])
        await scene.expectDeallocated()
    }

    @Test("Stubs answer the routes of modules that the test leaves out", arguments: [true, false])
    func stubs(isConfirmed: Bool) async throws {
        try await add("Ada")
        var questions: [ParameterValue?] = []
        let host = try TestHost(PeopleModule.self, manifest: "people.json") { setup in
            setup.provide(.dataProvider, provider)
            setup.stub("details", returning: { _ in "remove" })
            setup.stub(
                "alert",
                returning: { request in
                    questions.append(request.parameters["title"])
                    return isConfirmed
                })
        }
        let scene = try await host.open("people")
        try await scene.select("ada")
        #expect(questions == [.string("Remove Ada?")])
        #expect(scene.steps.last == "dismiss alert")
        #expect(try await provider.all(Person.self, in: "people").isEmpty == isConfirmed)
    }

    @Test("The menu shows what a test contributes, and opens a stub with the parameters of the address")
    func contribution() async throws {
        let host = try TestHost(LauncherModule.self, manifest: "launcher.json") { setup in
            setup.contribute(#"{"title": "Tea", "route": "drink?kind=tea&cup=1&cup=2"}"#, to: "menu")
            setup.stub("drink", showing: { request in Drink(request) })
        }
        let scene = try await host.open("launcher")
        #expect(scene.text == "Menu\n  Tea\n")
        try await scene.select(scene.screen.sections[0].rows[0].id)
        #expect(scene.screen.title == "tea in 2 cups")
        await scene.expectDeallocated()
    }

    private final class Drink: View {
        let screen: Screen

        init(_ request: RouteRequest) {
            let kind = (try? request.parameter("kind", as: String.self)) ?? "nothing"
            let cups = (try? request.parameter("cup", as: [String].self)) ?? []
            screen = Screen(title: "\(kind) in \(cups.count) cups")
        }
    }
}
