import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import People

/// The whole module with a real registry, router and container, and people in memory.
@MainActor
struct PeopleSceneTests {
    private func host(_ provider: MemoryDataProvider) throws -> TestHost {
        try TestHost(PeopleModule.self, manifest: "people.json") { services in
            services.provide(.dataProvider, provider)
        }
    }

    @Test("Adding a person returns to a list with the new person, and all objects are freed")
    func adding() async throws {
        let provider = MemoryDataProvider()
        let scene = try await host(provider).open("people")
        #expect(scene.screen.emptyText == "Nobody yet")
        try await scene.press("add")
        try await scene.fill("name", "Ada")
        try await scene.fill("age", "36")
        try await scene.press("add")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.title) == ["Ada - 36"])
        #expect(scene.screen.message == "Added Ada - 36" && scene.screen.form == nil)
        #expect(scene.steps == ["replace-root people", "push people/add", "pop people/add"])
        #expect(try await provider.all(Person.self, in: "people").map(\.name) == ["Ada"])
        await scene.expectDeallocated()
    }

    @Test("Cancelling the form returns to the unchanged list")
    func cancelling() async throws {
        let scene = try await host(MemoryDataProvider()).open("people")
        try await scene.press("add")
        try await scene.press("cancel")
        #expect(scene.steps.last == "pop people/add")
        #expect(scene.screen.emptyText == "Nobody yet")
        await scene.expectDeallocated()
    }

    @Test("The list shows a person that another window adds, until its scene closes", .hangLimit)
    func otherWindow() async throws {
        let provider = MemoryDataProvider()
        let host = try host(provider)
        let (scene, other) = (try await host.open("people"), try await host.open("people/add"))
        try await other.fill("name", "Ada")
        try await other.fill("age", "36")
        try await other.press("add")
        try #require(
            await eventually { scene.screen.sections.flatMap(\.rows).map(\.title) == ["Ada - 36"] })
        #expect(provider.observedCollections == ["people"])
        await scene.expectDeallocated()
        #expect(await eventually { provider.observedCollections.isEmpty })
        other.close()
    }

    @Test("A long list has pages and a search, which a short one does not need")
    func longList() async throws {
        let provider = MemoryDataProvider()
        for number in 0..<2_000 {
            let person = Person(id: "\(number)", name: number % 100 == 0 ? "Ada" : "Bob", age: 36)
            try await provider.insert(person, into: "people")
        }
        let scene = try await host(provider).open("people")
        func section() throws -> Section { try #require(scene.screen.sections.first) }
        #expect(try section().rows.count == 20)
        #expect(try section().more?.status == "20 of 2,000")
        try await scene.press("more")
        #expect(try section().rows.count == 40)
        #expect(try section().more?.status == "40 of 2,000")
        try await scene.fill("search", "ada")
        #expect(try section().rows.count == 20)
        #expect(try section().more == nil)
        try await scene.fill("search", "eve")
        #expect(scene.screen.emptyText == "No name contains eve" && scene.screen.form?.fields.first?.value == "eve")
        try await scene.fill("search", "")
        #expect(try section().more?.status == "20 of 2,000")
        await scene.expectDeallocated()
    }

    @Test("The route's parameter filters the list by age")
    func olderThan() async throws {
        let provider = MemoryDataProvider()
        try await provider.insert(Person(id: "1", name: "Ada", age: 36), into: "people")
        try await provider.insert(Person(id: "2", name: "Bob", age: 18), into: "people")
        let scene = try await host(provider).open(PeopleListRoute(olderThan: 18))
        #expect(scene.screen.sections.flatMap(\.rows).map(\.title) == ["Ada - 36"])
    }
}

struct ProvidedPersonServiceTests {
    @Test(
        "The service reads people older than the given age, in order",
        arguments: [(nil, ["Ada", "Bob"]), (17, ["Ada", "Bob"]), (18, ["Ada"]), (36, []), (-1, ["Ada", "Bob"])]
            as [(Int?, [String])])
    func olderThan(age: Int?, names: [String]) async throws {
        let service = ProvidedPersonService(provider: MemoryDataProvider())
        for (name, age) in [("Ada", 36), ("Bob", 18)] { _ = try await service.create(name: name, age: age) }
        #expect(try await service.people(olderThan: age).map(\.name) == names)
    }

    @Test("People are stored in order with unique ids")
    func create() async throws {
        let service = ProvidedPersonService(provider: MemoryDataProvider())
        let ada = try await service.create(name: "Ada", age: 36)
        let bob = try await service.create(name: "Bob", age: 18)
        #expect(ada.id != bob.id && !ada.id.isEmpty)
        #expect(try await service.people(olderThan: nil) == [ada, bob])
    }
}
