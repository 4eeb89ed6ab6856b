import Foundation
import TestSupport
import Testing

/// Input of real size: people by the hundred thousand, compared with what another program makes of them.
struct RealSizeTests {
    @Test(
        "200,000 random people are grouped as an independent program groups them, in four times the memory of their file"
    )
    func people() async throws {
        let folder = try ScratchFolder()
        let script = Products.repository + "/Tests/HostTests/people.py"
        var generator = ChildProcess("python3", [script, "200000", folder.path])
        generator.timeLimit = 300
        let generated = try await generator.run()
        try #require(generated.ending == .code(0), "\(generated)")
        let expected = try Data(contentsOf: URL(filePath: folder.path + "/expected.txt"))
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path + "/company.json")[.size] as? Int)
        #expect(size >= 100_000_000)

        let result = try await ScratchRoot().host("run", "list", "--data", folder.path) { $0.timeLimit = 300 }
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        #expect(result.output.count == expected.count)
        // Compared before it is handed over: a failure must not print a hundred thousand lines.
        let isEqual = result.output == expected
        #expect(isEqual)
        #expect(result.peakMemory <= 4 * size, "\(result.peakMemory) bytes for a file of \(size)")
    }
}
