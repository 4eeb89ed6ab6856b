/// A library's string table. Each string ends with a zero byte.
struct StringTable {
    private let bytes: ArraySlice<UInt8>

    init(_ file: ElfFile, offset: Int, size: Int) throws(ElfFile.Problem) {
        guard size >= 0, try ElfFile.sum(offset, size) <= file.bytes.count else {
            throw Self.truncated
        }
        bytes = file.bytes[offset..<(offset + size)]
    }

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    static let truncated = ElfFile.Problem(
        cause: "it is truncated: its string table ends beyond the end of the file")
    static let outside = ElfFile.Problem(cause: "the offset of a name is outside its string table")

    /// The maximum length of a name in bytes. Mangled names are far shorter. Without a limit, reading many symbols that
    /// share one huge name could take hours.
    static let longest = 1 << 14

    func string(at offset: Int) throws(ElfFile.Problem) -> String {
        guard offset >= 0, offset < bytes.count else {
            throw Self.outside
        }
        guard let end = bytes[(bytes.startIndex + offset)...].prefix(Self.longest).firstIndex(of: 0) else {
            throw ElfFile.Problem(cause: "a name is not terminated, or has more than \(Self.longest) bytes")
        }
        return String(decoding: bytes[(bytes.startIndex + offset)..<end], as: UTF8.self)
    }
}
