import Foundation
import HostDriver
import HostSystem
import ModuleCatalog
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime
@testable import ViperRuntime

@Suite(.fewAtOnce, .hangLimit)
struct RetryTests {
    @Test("The pause between retries doubles from one second to one minute")
    func backOff() {
        #expect((1...8).map(Backoff.pause(after:)) == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test("Refused modules that cannot be probed are retried later and log one warning each")
    func noProbe() async throws {
        let root = try ChangingRoot()
        var configuration = root.configuration
        configuration.workerProgram = "/nonexistent"
        for name in ["a", "b"] {
            try await root.put(.version("1"), ManifestText(name, library: "lib\(name).so", routes: [name]))
        }
        let host = try ViperHost(configuration)
        // The state of modules whose invalid libraries have been fixed.
        for record in host.registry.snapshot.modules {
            host.registry.refuse(
                record,
                because: ViperError(.libraryInvalid, operation: "cannot use", subject: "it", cause: "of the test"))
        }
        let log = host.logChanges()
        for _ in 0..<5 { await host.rescan() }
        let pending = host.registry.snapshot.modules.map(\.pending)
        #expect(pending.allSatisfy { $0?.kind == .trial && $0?.next != nil }, "\(pending)")
        log.cancel()
        await log.value
        let warnings = root.log.all.filter { $0.contains("/nonexistent") }
        #expect(warnings.count == 2, "\(root.log.all)")
        #expect(host.registry.snapshot.modules.allSatisfy { $0.state.isRefused })
        await host.shutDown()
    }
}
