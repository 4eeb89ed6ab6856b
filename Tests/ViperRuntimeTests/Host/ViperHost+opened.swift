import HostDriver
import ModuleCatalog
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

extension ViperHost.Configuration {
    /// Creates a configuration whose state folder is in a folder of the test.
    init(root: Root, stateIn folder: ScratchFolder) {
        self.init(root: root)
        settings.stateFolder = folder.path + "/state"
    }
}
