import Glibc
import TestSupport
import Testing
import ViperRuntime

/// A real process that writes JSON files, killed with SIGKILL in the middle.
@Suite(.fewAtOnce, .hangLimit)
struct JSONCrashTests {
    @Test("a process that is killed while it writes loses nothing acknowledged, and no change is there by half")
    func killed() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let provider = JSONDataProvider(folder: "\(folder)/data")
                try await KilledWriter.run(provider, log: "\(folder)/log")
            }
            let provider = JSONDataProvider(folder: "\(folder)/data")
            try await KilledWriter.expectAll(in: provider, log: "\(folder)/log")
        }
    }
}
