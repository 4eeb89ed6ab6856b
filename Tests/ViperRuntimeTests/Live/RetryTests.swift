import Foundation
import HostDriver
import ModuleCatalog
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime
@testable import ViperRuntime

@Suite(.fewAtOnce, .hangLimit)
struct RetryTests {
    @Test("The retry delay doubles from one second to one minute, and a reset restarts it")
    func backOff() {
        var backOff = BackOff()
        #expect((0..<8).map { _ in backOff.next() } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        backOff.reset()
        #expect(backOff.next() == .seconds(1))
    }

    @Test("A schedule keeps the earliest rescan of each scope and ignores redundant requests")
    func schedule() {
        var (schedule, tasks) = (RescanSchedule(), [Task<Void, Never>]())
        let now = ContinuousClock.now
        func add(_ scope: ScanScope, _ seconds: Int) {
            schedule.add(scope, at: now + .seconds(seconds)) {
                tasks.append(Task {})
                return tasks[tasks.count - 1]
            }
        }
        add(.retries, 10)
        add(.retries, 20)
        add(.changes, 30)
        #expect(tasks.count == 1 && schedule.count == 1)
        add(.changes, 5)
        add(.retries, 2)
        #expect(tasks.count == 3 && schedule.count == 2)
        #expect(tasks.map(\.isCancelled) == [true, false, false])
        schedule.cancel()
        #expect(tasks.allSatisfy(\.isCancelled) && schedule.count == 0)
    }

    @Test("Refused modules that cannot be probed schedule one rescan and log one warning each")
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
        for _ in 0..<5 { await host.rescan() }
        // A running rescan is not counted as scheduled. It schedules the next one when it ends.
        #expect(await eventually { await host.liveRoot.scheduledRescans == 1 })
        let warnings = root.log.all.filter { $0.contains("/nonexistent") }
        #expect(warnings.count == 2, "\(root.log.all)")
        #expect(host.registry.snapshot.modules.allSatisfy { $0.state.isRefused })
        await host.shutDown()
        #expect(await host.liveRoot.scheduledRescans == 0)
    }
}
