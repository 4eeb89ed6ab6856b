import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Launcher

private let people = MenuItem(title: "People", route: "people")
private let old = MenuItem(title: "old people", route: "people?olderThan=40")
private let wrong = ViperError(.jsonInvalid, operation: "cannot read", subject: "menu", cause: "of the test")

struct MenuInteractorTests {
    @Test("Entries are sorted by title without regard to case, and those that are no items come last")
    func sorted() async throws {
        let registry = FakeModuleRegistry([
            "a": ["menu": [#"{"title": "People", "route": "people"}"#, "7"], "other": ["1"]],
            "b": ["menu": [#"{"title": "old people", "route": "people?olderThan=40"}"#]],
        ])
        let entries = try await MenuInteractor(registry: registry).entries()
        #expect(entries.map(\.module) == ["b", "a", "a"])
        #expect(entries.map { try? $0.item.get() } == [old, people, nil])
    }
}

@MainActor
struct MenuPresenterTests {
    private final class Interactor: MenuInteracting {
        let registry = FakeModuleRegistry()
        let result: Result<[MenuEntry], ViperError>

        init(_ result: Result<[MenuEntry], ViperError>) { self.result = result }

        func entries() async throws(ViperError) -> [MenuEntry] { try result.get() }
        func changes() -> AsyncStream<Void> { registry.changes() }
    }

    private final class Spy: MenuViewing {
        var shown: [[Section]] = []
        var alerts: [Alert?] = []
        func show(_ sections: [Section]) { shown.append(sections) }
        func show(_ alert: Alert?) { alerts.append(alert) }
    }

    private final class Exit: MenuNavigating {
        var addresses: [String] = []
        var failure: ViperError?
        func open(_ address: String) async throws(ViperError) {
            addresses.append(address)
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ result: Result<[MenuEntry], ViperError>) -> MenuPresenter {
        let presenter = MenuPresenter(interactor: Interactor(result), wireframe: exit)
        presenter.view = spy
        return presenter
    }

    private let entries = [
        MenuEntry(module: "b", item: .success(old)), MenuEntry(module: "a", item: .success(people)),
        MenuEntry(module: "a", item: .success(people)), MenuEntry(module: "c", item: .failure(wrong)),
    ]

    @Test("Each item is a row, a repeated one is shown once, and a wrong one says why")
    func rows() async {
        await presenter(.success(entries)).load()
        #expect(
            spy.shown.last == [
                Section(rows: [
                    Row(id: "b people?olderThan=40", title: "old people"), Row(id: "a people", title: "People"),
                ]),
                Section(title: "Not usable", rows: [Row(id: "c 0", title: "c", detail: "of the test")]),
            ])
    }

    @Test("A selected row opens its address, or shows why it cannot be opened")
    func selection() async {
        let presenter = presenter(.success(entries))
        await presenter.load()
        await presenter.select("b people?olderThan=40")
        await presenter.select("nobody")
        #expect(exit.addresses == ["people?olderThan=40"] && spy.alerts.isEmpty)
        await presenter.select("c 0")
        #expect(spy.alerts.last??.title == "Cannot open c" && spy.alerts.last??.message == wrong.description)
        exit.failure = wrong
        await presenter.select("a people")
        #expect(spy.alerts.last??.title == "Cannot open People")
        await presenter.press(.dismiss)
        #expect(spy.alerts.last == .some(nil))
    }

    @Test("If the registry cannot be read, the menu shows the error, and retries")
    func failure() async {
        let presenter = presenter(.failure(wrong))
        await presenter.load()
        #expect(spy.alerts.last??.message == wrong.description)
        #expect(spy.alerts.last??.actions == [Action(MenuAction.retry)])
        let count = spy.alerts.count
        await presenter.press(.retry)
        #expect(spy.alerts.count >= count + 2 && spy.alerts.last??.title == "Cannot read the menu")
    }
}

/// The whole module with a real registry, router and container.
@MainActor
struct MenuSceneTests {
    private static let item = #"{"title": "People", "route": "people"}"#

    @Test("The menu follows the registry until its scene closes, and all objects are freed", .hangLimit)
    func live() async throws {
        let registry = FakeModuleRegistry()
        let scene = try await TestHost(LauncherModule.self, manifest: "launcher.json") { services in
            services.provide(.registry, registry)
        }.open("launcher")
        #expect(scene.screen.emptyText == "No module contributes to the menu")
        registry.contributions = ["people": ["menu": [Self.item]]]
        try #require(await eventually { scene.screen.sections.flatMap(\.rows).map(\.title) == ["People"] })
        for count in 1...1_000 {
            registry.contributions = ["people": ["menu": Array(repeating: "\(count)", count: count % 7)]]
        }
        // The last change has 1000 % 7 contributions.
        try #require(await eventually { scene.screen.sections.flatMap(\.rows).count == 6 })
        await scene.expectDeallocated()
        #expect(await eventually { registry.listenerCount == 0 })
    }
}
