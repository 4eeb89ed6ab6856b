import Testing
import ViperKit
import ViperTesting

@testable import RunningTemplate

@MainActor
struct RunningTemplateModuleTests {
    @Test("the module logs a line a minute, and ends when it is cancelled")
    func running() async throws {
        let (clock, logger) = (ManualClock(), RecordingLogger())
        let host = try TestHost(RunningTemplateModule.self, manifest: "running-template.json") { services in
            services.provide(.clock, clock)
            services.provide(.logger, logger)
        }
        let run = Task { try await host.run() }
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        await clock.sleepers(1)
        #expect(logger.messages.map(\.message) == ["beat 1", "beat 2"])
        run.cancel()
        await #expect(throws: ViperError.self) { try await run.value }
    }
}
