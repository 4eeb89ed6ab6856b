import TestSupport
import Testing

@testable import ModuleCatalog

/// Damaged libraries, which the reader accepts or rejects without crashing.
@Suite(.fewAtOnce, .hangLimit)
struct ElfFuzzTests {
    /// Reads everything that the host reads of a library, and returns false if that throws.
    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        do throws(ElfFile.Problem) {
            let file = try ElfFile(bytes)
            _ = try file.linkage()
            // Sections are only for tools, so an unreadable one does not matter.
            _ = try? file.section(named: ".viper_manifest")
            _ = try? file.buildID()
            return true
        } catch { return false }
    }

    @Test("A library truncated before the end of its segments is refused")
    func truncation() async throws {
        let bytes = try await SmallLibrary().bytes()
        let end = try #require(try ElfFile(bytes).layout.segments.map { $0.offset + $0.fileSize }.max())
        for length in stride(from: 0, to: end, by: 3) {
            #expect(!isAccepted(Array(bytes.prefix(length))), "cut off at \(length)")
        }
        #expect(isAccepted(Array(bytes.prefix(end))))
    }

    @Test("A truncated bundled module is refused")
    func truncatedModule() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        let end = try #require(try ElfFile(bytes).layout.segments.map { $0.offset + $0.fileSize }.max())
        for length in stride(from: 0, to: end, by: 1009) {
            #expect(!isAccepted(Array(bytes.prefix(length))), "cut off at \(length)")
        }
    }

    @Test("Damaged bytes are read or refused without a crash, with either hash table", arguments: ["gnu", "sysv"])
    func damage(hashStyle: String) async throws {
        let good = try await SmallLibrary(hashStyle: hashStyle).bytes()
        let file = try ElfFile(good)
        // The bytes with most offsets and counts: the start of the file, the dynamic section and the section headers.
        let dynamic = try #require(file.layout.segments.first { $0.type == 2 })
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
        // Both results occur, so the damage reaches the reader and passes its first check.
        #expect(accepted > 100 && accepted < 4900, "\(accepted) of 5000 were accepted")
    }

    @Test("Many sections that share one unterminated name do not hang the reader")
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

    @Test("Extreme integers are read or refused without a crash")
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
