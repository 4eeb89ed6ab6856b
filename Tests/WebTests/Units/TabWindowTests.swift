import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import Web

/// How often, and when, the windows of browsers are read and rendered.
@Suite(.hangLimit)
struct TabWindowTests {
    /// A window of the host. Each look at it waits until it may end.
    private final class Shown: OpenWindow {
        private let looks = Mutex((begun: 0, open: 0, most: 0))
        private let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        private let (changes, change) = AsyncStream.makeStream(of: WindowState.self)
        let id = 1
        let identity = ""

        /// The number of looks that have begun, and the maximum number at once.
        var begun: Int { looks.withLock { $0.begun } }
        var most: Int { looks.withLock { $0.most } }

        func allow(_ count: Int) { (0..<count).forEach { _ in opener.yield() } }

        func state() async -> WindowState {
            let number = looks.withLock { looks in
                looks = (looks.begun + 1, looks.open + 1, max(looks.most, looks.open + 1))
                return looks.begun
            }
            var iterator = gate.makeAsyncIterator()
            _ = await iterator.next()
            looks.withLock { $0.open -= 1 }
            return WindowState(Screen(title: "Look \(number)"))
        }

        func states() -> AsyncStream<WindowState> { changes }
        func open(_ route: String) async throws(ViperError) {}
        func send(_ event: Event) async throws(ViperError) {}
        func goBack() async {}
        func close() async {}
    }

    private let pools = Pools(connections: 400, windows: 20)

    @Test("Streams that open while a window is read share the next look at it")
    func streams() async throws {
        let (shown, client) = (Shown(), Client())
        let window = TabWindow(1, shown, of: client, token: "")
        func stream() throws -> EventStream { try #require(window.stream(from: nil, for: client, in: pools)) }
        _ = try stream()
        #expect(await eventually { shown.begun == 1 })
        var newest = try stream()
        for _ in 0..<50 { newest = try stream() }
        shown.allow(100)
        // A stream that has an event needs no older one.
        #expect(await eventually { !newest.needs(2) })
        #expect(shown.begun == 2)
        #expect(await window.look().state.screen.title == "Look 3")
    }

    @Test("Windows of one client are read one after the other, and keep no other client waiting")
    func turns() async throws {
        let (first, second, other) = (Shown(), Shown(), Shown())
        let client = Client()
        let windows = [first, first, second, second].map { TabWindow(1, $0, of: client, token: "") }
        try await withThrowingTaskGroup(of: String.self) { group in
            for window in windows { group.addTask { await window.look().state.screen.title } }
            #expect(await eventually { first.begun + second.begun > 0 })
            other.allow(1)
            #expect(await TabWindow(2, other, of: Client(), token: "").look().state.screen.title == "Look 1")
            #expect(first.begun + second.begun == 1)
            first.allow(2)
            second.allow(2)
            for try await _ in group {}
        }
        #expect(first.begun == 2 && second.begun == 2 && first.most == 1 && second.most == 1)
    }

    @Test("Requests for one state share the page that the first of them has rendered")
    func pages() async {
        let shown = Shown()
        let window = TabWindow(1, shown, of: Client(), token: "")
        shown.allow(1)
        let view = await window.look()
        async let first = window.page(of: view)
        async let second = window.page(of: view)
        #expect(await first === second)
        // A line for the user is on one page only.
        window.tell("Done")
        let (told, next) = (await window.page(of: view), await window.page(of: view))
        #expect(await told !== first)
        #expect(await next === first)
    }
}
