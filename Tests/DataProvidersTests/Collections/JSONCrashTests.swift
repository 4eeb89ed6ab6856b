import Glibc
import HostDriver
import TestSupport
import Testing

@testable import DataProviders

@Suite(.fewAtOnce, .hangLimit)
struct JSONCrashTests {
    @Test("A killed writer loses no acknowledged change and leaves no partial change")
    func killed() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let provider = JSONDataProvider(patientWith: "\(folder)/data")
                try await KilledWriter.run(provider, log: "\(folder)/log")
            }
            let provider = JSONDataProvider(patientWith: "\(folder)/data")
            try await KilledWriter.expectAll(in: provider, log: "\(folder)/log")
        }
    }
}
