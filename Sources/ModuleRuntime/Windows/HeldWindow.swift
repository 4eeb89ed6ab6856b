import Observation
import ViperKit

/// A window that a module holds. The module gives it up when it releases the last reference.
final class HeldWindow: OpenWindow {
    private let window: ClientWindow
    private let windows: HostWindows

    init(_ window: ClientWindow, of windows: HostWindows) { (self.window, self.windows) = (window, windows) }

    deinit { windows.giveUp(window) }

    var id: Int { window.number }
    var identity: String { window.identity }

    func state() async -> WindowState { await window.current }

    func states() -> AsyncStream<WindowState> {
        let (states, continuation) = AsyncStream.makeStream(of: WindowState.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { @MainActor [window] in
            for await state in Observations({ window.current }) {
                continuation.yield(state)
                if state.isClosed { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return states
    }

    func open(_ route: String) async throws(ViperError) { _ = try await window.queue(.open(route, .texts([:])))() }

    func send(_ event: Event) async throws(ViperError) { _ = try await window.queue(.event(event))() }

    func goBack() async { await window.goBack() }

    func close() async { await window.close() }

    func image(at path: String) async throws(ViperError) -> [UInt8] {
        let resources = await window.scenes.last?.resources
        return try await ScopedFileReader(folders: [], resources: resources).read(path, limit: Self.imageLimit)
    }

    /// The maximum size of an image in bytes.
    private static let imageLimit = 4 << 20
}
