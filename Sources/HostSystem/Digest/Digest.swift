package import FoundationEssentials

/// The SHA-256 hash of a file's content. It identifies the content independently of the file name.
///
/// In text and in JSON, a digest consists of 64 lowercase hexadecimal digits, like the output of `sha256sum`.
package struct Digest: Hashable, Sendable {
    /// The hash as eight words. The first word contains the digest's first digits.
    private let words: SIMD8<UInt32>

    package init(of content: some ContiguousBytes) { words = content.withUnsafeBytes(SHA256.hash) }

    /// Creates a digest from its text form. Returns nil if the text is not 64 lowercase hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        var words = SIMD8<UInt32>()
        for (index, digit) in text.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 8] = words[index / 8] << 4 | UInt32(value)
        }
        self.words = words
    }
}

extension Digest: CustomStringConvertible {
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = (0..<64).map { place -> UInt8 in
            let word = words[place / 8]
            let shift = UInt32(28 - place % 8 * 4)
            return digits[Int((word >> shift) & 15)]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Digest: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "invalid digest, expected 64 digits 0 to 9 and a to f")
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
