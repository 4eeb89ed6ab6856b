import ModuleRuntime
import ViperKit

@testable import ViperRuntime

extension ViperHost {
    /// Returns a window in which this route is open and loaded.
    @MainActor
    func opened(_ route: String, texts: [String: String] = [:]) async throws(ViperError) -> Window {
        let window = Window(router: router)
        try await window.open(route, texts: texts.mapValues { [$0] })
        return window
    }
}
