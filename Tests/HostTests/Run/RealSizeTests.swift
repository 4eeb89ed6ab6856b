import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct RealSizeTests {
    @Test(
        "Random people are grouped as by an independent program, in four times the memory of their file",
        // The release build gets 100 MB. A debug build would need half a minute of processor time for them.
        arguments: [Products.areOptimized ? 200_000 : 20_000])
    func people(count: Int) async throws {
        let folder = try ScratchFolder()
        let script = Products.repository + "/Tests/HostTests/Run/people.py"
        let generated = try await Python.process([script, "\(count)", folder.path]).run()
        try #require(generated.ending == .code(0), "\(generated)")
        let expected = try Data(contentsOf: URL(filePath: folder.path + "/expected.txt"))
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path + "/company.json")[.size] as? Int)
        #expect(size >= 500 * count)

        let result = try await ScratchRoot().host("run", "list", "--data", folder.path)
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        #expect(result.output.count == expected.count)
        // Compared beforehand, so that a failure does not print a hundred thousand lines.
        let isEqual = result.output == expected
        #expect(isEqual)
        // The kernel includes the memory that this process had when it started the child.
        let own = try residentMemory()
        #expect(result.peakMemory <= max(4 * size, own), "\(result.peakMemory) bytes for a file of \(size)")
    }

    /// Returns the peak memory of this process in bytes.
    private func residentMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return try #require(line.flatMap { Int($0.filter(\.isNumber)) }) * 1024
    }
}
