import HostSystem
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import ModuleRuntime

/// The windows that a front end opens, uses and leaves to its successor.
@MainActor
@Suite(.hangLimit)
struct HostWindowsTests {
    private let host: HostedModules
    private let windows: HostWindows
    private let clock = ManualClock()

    init() throws {
        host = try linkedHost([(Waypoints.self, manifestText("waypoints", routes: Waypoints.routes))])
        windows = HostWindows(source: host.router, clock: clock)
    }

    /// Returns the wireframe's navigator of the topmost scene.
    private func navigator(of window: Int) throws -> any Navigator {
        try #require(windows.window(window).scenes.last?.view as? WaypointView).navigator
    }

    @Test("A front end opens a window, sees its scenes, sends events, goes back and closes it")
    func use() async throws {
        let window = try await windows.open("a", for: "ada")
        var states = window.states().makeAsyncIterator()
        let first = try #require(await states.next())
        #expect(first.screen.title == "a")
        var scene = OpenScene(route: "a", title: "a", transition: .replaceRoot)
        scene.id = 1
        #expect(first.scenes == [scene])
        try await navigator(of: window.id).open("b", as: .present)
        #expect(try #require(await states.next()).scenes.map(\.transition) == [.replaceRoot, .present])
        await window.goBack()
        #expect(try #require(await states.next()).scenes.map(\.route) == ["a"])
        let error = await #expect(throws: ViperError.self) { try await window.send(.press(action: "none")) }
        #expect(error?.code == .eventUnknown)
        try await window.open("c")
        #expect(await window.state().scenes.map(\.route) == ["c"])
        let unknown = await #expect(throws: ViperError.self) { try await window.open("none") }
        #expect(unknown?.code == .routeUnknown)
        #expect(await window.state().scenes.map(\.route) == ["c"])
        await window.goBack()
        while let state = await states.next() { #expect(state.scenes.map(\.route) == (state.isClosed ? [] : ["c"])) }
        #expect(await window.state().isClosed)
        await #expect(throws: ViperError.self) { try await windows.take(window.id, of: "ada") }
    }

    @Test("A scene has a number of its own, also if the same route is opened again, and no image without a folder")
    func numbers() async throws {
        let window = try await windows.open("a", for: "ada")
        let navigator = try navigator(of: window.id)
        try await navigator.open("b", as: .push)
        #expect(await window.state().scenes.map(\.id) == [1, 2])
        await window.goBack()
        try await navigator.open("b", as: .push)
        #expect(await window.state().scenes.map(\.id) == [1, 3])
        #expect(await window.state().scenes.map(\.address) == ["a", "b"])
        let error = await #expect(throws: ViperError.self) { try await window.image(at: "dot.png") }
        #expect(error?.code == .fileMissing)
    }

    @Test("A scene knows whose window it is in")
    func identity() async throws {
        let window = try await windows.open("a", for: "ada")
        #expect(window.identity == "ada")
        #expect(try navigator(of: window.id).identity == "ada")
        #expect(try await host.opened("a").identity == "")
    }

    @Test("A window is taken up by its number and identity, and closes ten seconds after the last holder is gone")
    func successor() async throws {
        var window: (any OpenWindow)? = try await windows.open("a", for: "ada")
        let number = try #require(window?.id)
        for identity in ["", "bob"] {
            let error = await #expect(throws: ViperError.self) { try await windows.take(number, of: identity) }
            #expect(error?.code == .sceneUnknown)
        }
        var other: (any OpenWindow)? = try await windows.take(number, of: "ada")
        window = nil
        #expect(await other?.state().screen.title == "a")
        other = nil
        await clock.sleepers(1)
        clock.advance(by: .seconds(9))
        // A module that takes the window up and gives it up again has another ten seconds.
        other = try await windows.take(number, of: "ada")
        other = nil
        await clock.sleepers(2)
        clock.advance(by: .seconds(9))
        await clock.sleepers(1)
        let last = try await windows.take(number, of: "ada")
        let states = last.states()
        clock.advance(by: .seconds(1))
        await clock.sleepers(0)
        #expect(await last.state().scenes.map(\.route) == ["a"])
        _ = consume last
        await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        for await _ in states {}
        await #expect(throws: ViperError.self) { try await windows.take(number, of: "ada") }
    }

    @Test("A window is not taken up with an identity in another Unicode form")
    func unicodeForms() async throws {
        let window = try await windows.open("a", for: "Zo\u{EB}")
        let error = await #expect(throws: ViperError.self) { try await windows.take(window.id, of: "Zoe\u{308}") }
        #expect(error?.code == .sceneUnknown)
    }

    @Test("A module opens at most half of all windows, and opens others when these have closed")
    func share() async throws {
        let windows = HostWindows(source: host.router, limit: 4, clock: clock)
        let (greedy, other) = (
            ModuleWindows(windows: windows, module: "greedy"), ModuleWindows(windows: windows, module: "other")
        )
        let first = [try await greedy.open("a", for: "ada"), try await greedy.open("a", for: "ada")]
        let error = await #expect(throws: ViperError.self) { try await greedy.open("a", for: "ada") }
        #expect(error?.code == .limitReached && error?.cause.contains("2 of the module \"greedy\"") == true)
        let second = try await other.open("a", for: "ada")
        // A window stays with the module that opened it.
        #expect(try await other.take(first[0].id, of: "ada").id == first[0].id)
        await first[0].close()
        await first[0].close()
        let third = try await greedy.open("a", for: "ada")
        await #expect(throws: ViperError.self) { try await greedy.open("a", for: "ada") }
        #expect(try await windows.open("a", for: "ada").id > third.id)
        await #expect(throws: ViperError.self) { try await other.open("a", for: "ada") }
        await second.close()
    }

    @Test("A route that cannot be opened leaves no window")
    func refused() async throws {
        let error = await #expect(throws: ViperError.self) { try await windows.open("none", for: "") }
        #expect(error?.code == .routeUnknown)
        #expect(try await windows.open("a", for: "").id == 2)
        await #expect(throws: ViperError.self) { try await windows.take(1, of: "") }
    }
}
