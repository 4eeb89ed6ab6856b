/// The type of an image, by its first bytes. The name of a file does not decide, and other files are not served.
enum ImageType {
    /// Returns the media type. Nil if the bytes are not an image that browsers show.
    static func of(_ bytes: [UInt8]) -> String? {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if begins("GIF87a") || begins("GIF89a") { return "image/gif" }
        if begins("RIFF"), begins("WEBP", at: 8) { return "image/webp" }
        // The policy of the response forbids scripts in it.
        if begins("<svg ") || begins("<?xml "), bytes.suffix(16).contains(UInt8(ascii: ">")) { return "image/svg+xml" }
        return nil
    }
}
