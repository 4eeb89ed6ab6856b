import Foundation
import HostDriver
import TestSupport
import Testing

@testable import HostSystem

@Suite(.fewAtOnce)
struct DigestTests {
    @Test(
        "The examples of FIPS 180-4 have the published digests",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] as [(String, Int, String)])
    func examples(text: String, times: Int, expected: String) {
        #expect(Digest(of: Data(String(repeating: text, count: times).utf8)).description == expected)
    }

    @Test("A digest equals the output of sha256sum around block boundaries and over many blocks")
    func sizes() async throws {
        let scratch = try ScratchFolder()
        var generator = SeededGenerator(seed: 1)
        for size in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 1 << 20, (1 << 20) + 57] {
            let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let file = try scratch.write(Data(bytes), to: "content")
            let printed = try await Tool.run("sha256sum", [file])
            #expect(printed.prefix(64) == Digest(of: bytes).description, "\(size) bytes")
            #expect(Digest(of: Data(bytes)) == Digest(of: bytes))
            // The alignment in memory does not matter.
            #expect(Digest(of: ([0] + bytes).dropFirst()) == Digest(of: bytes))
        }
    }

    @Test("A digest survives conversion to text and JSON")
    func text() throws {
        let digest = Digest(of: Array("abc".utf8))
        #expect(Digest(digest.description) == digest)
        let json = try JSONEncoder().encode([digest])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(digest)\"]")
        #expect(try JSONDecoder().decode([Digest].self, from: json) == [digest])
    }

    @Test("Text other than 64 lowercase hexadecimal digits is not a digest")
    func noDigest() throws {
        let digits = Digest(of: [UInt8]()).description
        let wrong = [
            "", "e3b0", String(digits.dropLast()), digits + "0", digits.uppercased(), "g" + digits.dropFirst(),
            "../" + digits.dropFirst(3), "é" + digits.dropFirst(2),
        ]
        for text in wrong {
            #expect(Digest(text) == nil, "\(text)")
            let json = try JSONEncoder().encode([text])
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([Digest].self, from: json) }
        }
        #expect(Digest("\0" + digits.dropFirst()) == nil)
    }
}
