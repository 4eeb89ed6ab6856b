import Foundation
import TestSupport
import Testing

@testable import HostSystem
@testable import ModuleCatalog

/// The index of packed resources, and libraries in which it is damaged.
@Suite(.hangLimit)
struct ResourceIndexTests {
    private static let contents = ["first", "", "third"]

    private func index(
        _ names: [String] = ["a.txt", "deep/b.txt", "ä 日本.txt"], size: Int? = nil
    ) throws -> ResourceIndex {
        try ResourceIndex(
            names.enumerated().map { number, name in
                let content = Self.contents[number % 3]
                return .init(name: name, size: size ?? content.utf8.count, digest: Digest(of: Data(content.utf8)))
            })
    }

    @Test("An index is unchanged after encoding and decoding, and has the offset of each file")
    func roundTrip() throws {
        let index = try index()
        let decoded = try ResourceIndex(decoding: index.bytes.dropFirst(8))
        #expect(decoded == index && decoded.contentSize == 10)
        #expect(decoded.file(named: "ä 日本.txt")?.offset == 5 && decoded.file(named: "b.txt") == nil)
    }

    @Test(
        "Names that are not paths inside the resources are refused",
        arguments: ["", ".", "..", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\0b", "../\u{301}x"])
    func names(name: String) throws {
        let error = try #require(throws: ElfFile.Problem.self) { try index([name]) }
        #expect(error.cause.hasSuffix("is not a path inside the resources"), "\(error)")
    }

    @Test("Names that occur twice, also in another Unicode form, and sizes out of range are refused")
    func duplicates() throws {
        for names in [["a", "b", "a"], ["caf\u{E9}", "cafe\u{301}"]] {
            let error = try #require(throws: ElfFile.Problem.self) { try index(names) }
            #expect(error.cause.hasSuffix("occurs twice"))
        }
        #expect(throws: ElfFile.Problem.self) { try index(["a"], size: -1) }
        #expect(throws: ElfFile.Problem.self) { try index(["a", "b"], size: .max) }
    }

    /// Returns a library with a section of packed resources that has the given content.
    private func library(_ section: [UInt8], size: Int? = nil, after: [UInt8] = []) async throws -> [UInt8] {
        var bytes = try await SmallLibrary().bytes()
        // The comment of the compiler becomes the section: only its name and its place change.
        let place = try #require(
            try ElfFile.place(ofSection: ".comment", inFileOf: bytes.count, ElfFile.parts(of: bytes)))
        let name = bytes.count
        let strings = try #require(
            try ElfFile.place(ofSection: ".shstrtab", inFileOf: bytes.count, ElfFile.parts(of: bytes)))
        bytes += bytes[strings.offset..<(strings.offset + strings.size)] + Array(ResourceIndex.section.utf8) + [0]
        bytes.put(UInt32(strings.size), at: place.header)
        bytes.put(name, at: strings.header + 24)
        bytes.put(bytes.count - name, at: strings.header + 32)
        bytes.put(bytes.count, at: place.header + 24)
        bytes.put(size ?? section.count, at: place.header + 32)
        return bytes + section + after
    }

    private func cause(_ bytes: [UInt8]) -> String? {
        do throws(ElfFile.Problem) {
            _ = try ResourceIndex.read(inFileOf: bytes.count, ElfFile.parts(of: bytes))
            return nil
        } catch { return error.cause }
    }

    @Test("Incomplete and damaged sections are refused with the reason")
    func damage() async throws {
        let good = try index().bytes + Array("firstthird".utf8)
        #expect(try await cause(library(good)) == nil)
        #expect(try await cause(SmallLibrary().bytes()) == nil)
        let damage = "its packed resources are damaged: "
        let truncated = "it is truncated: its packed resources end beyond the end of the file"
        var huge = good
        huge.put(UInt64.max, at: 0)
        var count = good
        count[8] = 0xFF
        for (section, size, after, expected) in [
            (good, good.count + 1, [], truncated), (good, Int(1) << 40, [], truncated),
            (good, Int.max, [], "a number in it is out of range"),
            (good, -1, [], damage + "their section has -1 bytes"),
            (Array(good.dropLast()), nil, [], damage + "the files have 9 bytes, expected 10"),
            (good + [0], nil, [], damage + "the files have 11 bytes, expected 10"),
            (good, nil, [0], damage + "they are not at the end of the file"),
            (Array(good.prefix(4)), nil, [], damage + "their section has 4 bytes"),
            (huge, nil, [], damage + "their index has 18446744073709551615 bytes, expected at most \(good.count - 8)"),
            (count, nil, [], damage + "their index cannot be decoded"),
        ] as [([UInt8], Int?, [UInt8], String)] {
            #expect(try await cause(library(section, size: size, after: after)) == expected)
        }
    }

    @Test("Damaged bytes are read or refused without a crash")
    func fuzz() async throws {
        let section = try index().bytes
        let good = try await library(section + Array("firstthird".utf8))
        var generator = SeededGenerator(seed: 2026)
        let start = good.count - section.count - 10
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: start..<good.count, using: &generator)] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            if cause(bytes) == nil { accepted += 1 }
        }
        #expect(accepted > 100 && accepted < 19_900, "\(accepted) of 20000 were accepted")
    }
}
