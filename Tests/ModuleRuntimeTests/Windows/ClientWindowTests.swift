import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// The windows of a client in this process, without a connection.
@MainActor
@Suite(.hangLimit)
struct ClientWindowTests {
    private let windows: ClientWindows

    init() throws {
        let host = try linkedHost([
            (Waypoints.self, manifestText("waypoints", routes: Waypoints.routes))
        ])
        windows = ClientWindows(source: host.router, limit: 2)
    }

    private func opened(_ route: String = "a") async throws -> ClientWindow {
        let window = try #require(windows.add(for: ""))
        _ = try await window.queue(.open(route, .values([:])))()
        return window
    }

    private func view(of window: ClientWindow) throws -> WaypointView {
        try #require(window.scenes.last?.view as? WaypointView)
    }

    @Test("A window is found by its number until it is closed, and numbers are not reused")
    func numbers() async throws {
        let first = try await opened()
        let second = try await opened()
        #expect((first.number, second.number) == (1, 2) && windows.add(for: "") == nil)
        #expect(try windows.window(2) === second)
        try windows.remove(2)?.close()
        #expect(try windows.remove(2) == nil)
        #expect(throws: ViperError.self) { try windows.window(2) }
        #expect(throws: ViperError.self) { try windows.remove(3) }
        #expect(try await opened().number == 3)
        await windows.closeAll()
        #expect(windows.add(for: "") == nil && first.scenes.isEmpty)
    }

    @Test("A window whose route cannot be opened leaves the client's windows")
    func refused() async throws {
        for _ in 1...3 {
            let error = await #expect(throws: ViperError.self) { _ = try await opened("none") }
            #expect(error?.code == .routeUnknown)
        }
    }

    @Test("Requests are executed in the order in which they are queued, whichever is called first")
    func order() async throws {
        let window = try #require(windows.add(for: ""))
        let open = window.queue(.open("a", .values([:])))
        let result = try SceneResult(1)
        let press = window.queue(.event(.press(action: "none")))
        let pressing = Task { try await press() }
        await Task.yield()
        #expect(try await open().screen.text == "loaded")
        let error = await #expect(throws: ViperError.self) { try await pressing.value }
        #expect(error?.code == .eventUnknown)
        // A result does not wait for the request before it.
        let waiting = window.queue(.load)
        _ = try await window.queue(.event(.returned(from: "b", result: result)))()
        #expect(try view(of: window).returned.count == 1)
        _ = try await waiting()
    }

    @Test("Each observer gets the changes that no request has returned, and the sequence ends with the window")
    func updates() async throws {
        let window = try await opened()
        var one = window.updates().makeAsyncIterator()
        var other = window.updates().makeAsyncIterator()
        let view = try view(of: window)
        view.note("returned")
        let returned = try await window.queue(.load)()
        #expect(returned.screen.text == "loaded")
        view.note("changed")
        for update in [await one.next(), await other.next()] {
            guard case .screen(let state)? = update else { return #expect(Bool(false), "\(update as Any)") }
            #expect(state.screen.text == "changed" && state.revision > returned.revision && !state.isClosed)
        }
        await view.navigator.close()
        guard case .closed(let last, nil)? = await one.next() else { return #expect(Bool(false), "not closed") }
        #expect(last.isClosed && last.screen.text == "changed")
        #expect(await one.next() == nil)
        #expect(throws: ViperError.self) { try windows.window(window.number) }
        var late = window.updates().makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("A request that ends the window returns its last state, and no update repeats it")
    func ended() async throws {
        let window = try await opened("deeper")
        var updates = window.updates().makeAsyncIterator()
        window.close()
        #expect(await updates.next() == nil)
        let error = await #expect(throws: ViperError.self) { try await window.queue(.load)() }
        #expect(error?.code == .sceneUnknown)
    }
}
