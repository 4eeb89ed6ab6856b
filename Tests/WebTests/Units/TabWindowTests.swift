import Synchronization
import Testing
import ViperKit

@testable import Web

/// The pages that a window renders.
struct TabWindowTests {
    /// A window whose screen is set by the test.
    private final class FakeWindow: OpenWindow {
        let id = 1
        let identity = ""
        let shown = Mutex(WindowState(Screen(title: "First")))

        func state() async -> WindowState { shown.withLock { $0 } }
        func states() -> AsyncStream<WindowState> { AsyncStream { $0.finish() } }
        func open(_ route: String) async throws(ViperError) {}
        func send(_ event: Event) async throws(ViperError) {}
        func goBack() async {}
        func close() async {}
    }

    private let fake = FakeWindow()

    @Test("Requests for the same state share its page")
    func shared() async {
        let window = TabWindow(1, fake, token: "t")
        let (one, other) = (await window.look(), await window.look())
        let page = window.page(of: one)
        #expect(window.page(of: other) === page)
    }

    @Test("Another state, a notice, a field, and a reason to close have a page of their own")
    func own() async {
        let window = TabWindow(1, fake, token: "t")
        let view = await window.look()
        let page = window.page(of: view)
        #expect(window.page(of: view, [("X-One", "1")]) !== page)
        window.tell("A line.")
        #expect(window.page(of: view) !== page)
        #expect(window.page(of: view) === page)
        fake.shown.withLock { $0 = WindowState(Screen(title: "Second")) }
        let second = window.page(of: await window.look())
        #expect(second !== page)
        await window.close(because: "The end.")
        #expect(window.page(of: await window.look()) !== second)
    }
}
