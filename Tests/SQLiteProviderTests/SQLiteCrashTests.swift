import Glibc
import TestSupport
import Testing
import ViperRuntime

@testable import SQLiteProvider

/// A real process that writes a database, killed with SIGKILL in the middle.
@Suite(.fewAtOnce, .hangLimit)
struct SQLiteCrashTests {
    @Test("a process that is killed while it writes loses nothing acknowledged, and no change is there by half")
    func killed() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let provider = SQLiteDataProvider(file: "\(folder)/records.sqlite", json: FoundationJSONCoder())
                try await KilledWriter.run(provider, log: "\(folder)/log")
            }
            let provider = SQLiteDataProvider(file: "\(folder)/records.sqlite", json: FoundationJSONCoder())
            try await KilledWriter.expectAll(in: provider, log: "\(folder)/log")
        }
    }
}
