import ModuleRuntime
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ViperRuntime

/// The services of the host beside those of modules.
@MainActor
@Suite(.hangLimit)
struct HostServicesTests {
    @Test("A retired module's services disappear and the host's own stay, even if the module is named host")
    func services() async throws {
        let root = Root(path: "/nonexistent", executableFolder: "/nonexistent")
        let container = HostServices.container(ViperHost.Configuration(root: root))
        let host = try linkedHost(
            [
                (Greeter.self, manifestText("host", provides: ["greeting"])),
                (Screens.self, manifestText("user", routes: ["greet"], requires: ["greeting"])),
            ], services: container)
        let own = container.names
        try await host.opened("greet").closeAll()
        #expect(host.registry.snapshot.services.contains { $0.name == "greeting" && $0.providers == ["host"] })
        try await host.retire("host")
        #expect(!host.registry.snapshot.services.contains { $0.name == "greeting" && !$0.providers.isEmpty })
        #expect(container.names == own)
    }
}
