import TestSupport
import Testing

@testable import ViperRuntime

/// Damaged libraries: whatever stands in them, the reader answers or throws, and never crashes.
@Suite(.fewAtOnce, .hangLimit)
struct ElfFuzzTests {
    /// Reads all that the host reads of a library.
    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        do throws(ElfFile.Problem) {
            let file = try ElfFile(bytes)
            _ = try file.linkage()
            // Sections are for tools: whether they can be read decides nothing.
            _ = try? file.section(named: ".viper_manifest")
            _ = try? file.buildID()
            return true
        } catch { return false }
    }

    @Test("a library that is cut off anywhere before the end of its segments is refused")
    func truncation() async throws {
        let bytes = try await SmallLibrary().bytes()
        let end = try #require(try ElfFile(bytes).segments.map { $0.offset + $0.fileSize }.max())
        for length in stride(from: 0, to: end, by: 3) {
            #expect(!isAccepted(Array(bytes.prefix(length))), "cut off at \(length)")
        }
        #expect(isAccepted(Array(bytes.prefix(end))))
    }

    @Test("a real module that is cut off is refused")
    func truncatedModule() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        let end = try #require(try ElfFile(bytes).segments.map { $0.offset + $0.fileSize }.max())
        for length in stride(from: 0, to: end, by: 1009) {
            #expect(!isAccepted(Array(bytes.prefix(length))), "cut off at \(length)")
        }
    }

    @Test("damaged bytes are read or refused, with either hash table", arguments: ["gnu", "sysv"])
    func damage(hashStyle: String) async throws {
        let good = try await SmallLibrary(hashStyle: hashStyle).bytes()
        let file = try ElfFile(good)
        // Where the numbers are that lead on: the headers, the dynamic section, and what comes first in the file.
        let dynamic = try #require(file.segments.first { $0.type == 2 })
        let sections: Int = try file.read(at: 40)
        let telling =
            Array(0..<min(1024, good.count)) + Array(dynamic.offset..<(dynamic.offset + dynamic.fileSize))
            + Array(sections..<good.count)
        var generator = SeededGenerator(seed: 2026)
        var accepted = 0
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = try #require(telling.randomElement(using: &generator))
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            if isAccepted(bytes) { accepted += 1 }
        }
        // Both happen, so the damage neither missed the reader nor all died at the first check.
        #expect(accepted > 100 && accepted < 4900, "\(accepted) of 5000 were accepted")
    }

    @Test("many sections that share one name without end are passed over in no time")
    func endlessNames() async throws {
        var bytes = try await SmallLibrary().bytes()
        let (count, size) = (20_000, 4 << 20)
        let table = bytes.count
        func header(type: UInt32, offset: Int, size: Int) -> [UInt8] {
            var header = [UInt8](repeating: 0, count: 64)
            header.replaceSubrange(4..<8, with: withUnsafeBytes(of: type.littleEndian, Array.init))
            header.replaceSubrange(24..<32, with: withUnsafeBytes(of: offset.littleEndian, Array.init))
            header.replaceSubrange(32..<40, with: withUnsafeBytes(of: size.littleEndian, Array.init))
            return header
        }
        let names = table + count * 64
        for _ in 0..<count { bytes += header(type: 3, offset: names, size: size) }
        bytes += [UInt8](repeating: 0x78, count: size)
        bytes.replaceSubrange(40..<48, with: withUnsafeBytes(of: table.littleEndian, Array.init))
        bytes.replaceSubrange(60..<62, with: withUnsafeBytes(of: UInt16(count).littleEndian, Array.init))
        bytes.replaceSubrange(62..<64, with: [0, 0])
        #expect(try ElfFile(bytes).section(named: ".viper_manifest") == nil)
    }

    @Test("whole numbers at their limits are read or refused")
    func limits() async throws {
        let good = try await SmallLibrary().bytes()
        let limits: [Int] = [0, 1, -1, .max, .min, 1 << 32, 1 << 31, good.count, good.count - 1]
        var refused = 0
        for offset in stride(from: 16, to: good.count - 8, by: 8) {
            for limit in limits {
                var bytes = good
                bytes.put(limit, at: offset)
                if !isAccepted(bytes) { refused += 1 }
            }
        }
        #expect(refused > 100)
    }
}
