import Observation
package import ViperKit

extension HostWindows {
    /// Opens a route in a new window for the program itself. Returns when a scene is open, which may still be loading.
    ///
    /// - Returns: The window, and a task that ends when the screen has settled, with the error if the scene was lost.
    /// - Throws: The same errors as ``Window/open(_:texts:)``, and `limit-reached`.
    @MainActor
    package func begin(
        _ route: String, texts: [String: [String]], for identity: String
    ) async throws(ViperError) -> (window: any OpenWindow, settled: Task<ViperError?, Never>) {
        let (window, held) = try add(route, for: identity, by: nil)
        let (progress, heard) = AsyncStream<Void>.makeStream()
        let opening = Task { () -> ViperError? in
            defer { heard.finish() }
            do throws(ViperError) { _ = try await window.queue(.open(route, .texts(texts)))() } catch { return error }
            return nil
        }
        let observing = Task {
            for await hasScene in Observations({ !window.scenes.isEmpty }) where hasScene { break }
            heard.finish()
        }
        for await _ in progress {}
        observing.cancel()
        if window.scenes.isEmpty, let error = await opening.value { throw error }
        return (held, opening)
    }
}
