import FoundationEssentials
import Testing
import ViperKit
import ViperTesting

@testable import FrontEndTemplate

@MainActor
struct FrontEndTests {
    /// A start screen that closes when it is loaded.
    private final class Greeting: View {
        private(set) var screen = Screen(title: "Hello")
        private let navigator: any Navigator

        init(navigator: any Navigator) { self.navigator = navigator }

        func load() async {
            screen.text = "and goodbye"
            await navigator.close()
        }
    }

    private struct Pages: PageStoring {
        let window: Int?
        let stored: AsyncStream<String>.Continuation

        func store(_ page: String) { stored.yield(page) }
        func store(window: Int?) { stored.yield("window \(window.map(String.init) ?? "closed")") }
    }

    @Test("the start route is shown in a file until its window closes")
    func start() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let host = try TestHost(FrontEndTemplateModule.self, manifest: "front-end-template.json") { setup in
            setup.provide(.stateFolder, StateFolder(path: folder))
            setup.stub("", showing: { request in Greeting(navigator: request.navigator) })
        }
        try await host.run()
        #expect(try String(contentsOfFile: folder + "/page.txt", encoding: .utf8) == "Hello\nand goodbye\n")
        #expect(PageFile(folder: folder).window == nil)
    }

    @Test("each new screen is a page, and a window that was left open is used again")
    func pages() async throws {
        let windows = FakeWindows()
        let (pages, stored) = AsyncStream.makeStream(of: String.self)
        let run = Task {
            defer { stored.finish() }
            try await FrontEnd(windows: windows, pages: Pages(window: 7, stored: stored)).run()
        }
        var seen = pages.makeAsyncIterator()
        #expect(await seen.next() == "window 7")
        windows.window.show(Screen(title: "One"))
        #expect(await seen.next() == "One\n")
        windows.window.show(Screen(title: "Two"))
        #expect(await seen.next() == "Two\n")
        run.cancel()
        try await run.value
        #expect(await seen.next() == nil)
    }
}

/// Windows of which only number 7 is open.
private struct FakeWindows: Windows {
    let window = FakeWindow()

    func open(_ route: String, for identity: String) async throws(ViperError) -> any OpenWindow {
        throw ViperError(.init("window-closed", .usage), operation: "cannot open", subject: route, cause: "of the test")
    }

    func take(_ id: Int, of identity: String) async throws(ViperError) -> any OpenWindow {
        if id == window.id, identity == window.identity { return window }
        return try await open("", for: identity)
    }
}

private final class FakeWindow: OpenWindow {
    let id = 7
    let identity = FrontEnd.identity
    private let shown: AsyncStream<WindowState>
    private let screens: AsyncStream<WindowState>.Continuation

    init() { (shown, screens) = AsyncStream.makeStream(of: WindowState.self) }

    func show(_ screen: Screen) {
        let scene = OpenScene(route: "a", title: screen.title, transition: .push)
        screens.yield(WindowState(screen: screen, scenes: [scene], error: nil))
    }

    func state() async -> WindowState { WindowState(screen: Screen(title: ""), scenes: [], error: nil) }
    func states() -> AsyncStream<WindowState> { shown }
    func open(_ route: String) async throws(ViperError) {}
    func send(_ event: Event) async throws(ViperError) {}
    func goBack() async {}
    func close() async {}
}
