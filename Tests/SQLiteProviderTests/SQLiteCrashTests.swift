import Glibc
import HostDriver
import HostSystem
import TestSupport
import Testing

@testable import SQLiteProvider

/// A process that writes a database and is killed with SIGKILL.
@Suite(.fewAtOnce, .hangLimit)
struct SQLiteCrashTests {
    @Test("A killed process loses no acknowledged change and leaves no partial change")
    func killed() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let provider = SQLiteDataProvider(patientWith: "\(folder)/records.sqlite")
                try await KilledWriter.run(provider, log: "\(folder)/log")
            }
            let provider = SQLiteDataProvider(patientWith: "\(folder)/records.sqlite")
            try await KilledWriter.expectAll(in: provider, log: "\(folder)/log")
        }
    }
}
