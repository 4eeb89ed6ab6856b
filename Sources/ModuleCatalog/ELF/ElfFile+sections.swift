extension ElfFile {
    /// Returns a section's content, or nil if the file does not have a section with this name. Sections are intended
    /// for tools. The dynamic linker does not read the section table.
    func section(named name: String) throws(Problem) -> ArraySlice<UInt8>? {
        let table: Int = try read(at: 40)
        let entrySize: UInt16 = try read(at: 58)
        let count: UInt16 = try read(at: 60)
        let namesIndex: UInt16 = try read(at: 62)
        // The library has no sections, for example because it was stripped.
        if table == 0 || count == 0 { return nil }
        guard entrySize == 64, namesIndex < count else { throw Problem(cause: "its section headers are damaged") }
        let names = try content(ofSectionAt: Self.sum(table, Int(namesIndex) * 64))
        for index in 0..<Int(count) {
            let header = try Self.sum(table, index * 64)
            let offset: UInt32 = try read(at: header)
            guard offset < names.count else { continue }
            // Compares only as many bytes as the name has. In a damaged file, many sections may share a single name
            // that is not terminated.
            let rest = names[(names.startIndex + Int(offset))...]
            if rest.starts(with: Array(name.utf8) + [0]) { return try content(ofSectionAt: header) }
        }
        return nil
    }

    private func content(ofSectionAt header: Int) throws(Problem) -> ArraySlice<UInt8> {
        let type: UInt32 = try read(at: try Self.sum(header, 4))
        let offset: Int = try read(at: try Self.sum(header, 24))
        let size: Int = try read(at: try Self.sum(header, 32))
        // SHT_NOBITS: the section has no content in the file.
        if type == 8 { return [] }
        guard offset >= 0, size >= 0, try Self.sum(offset, size) <= bytes.count else {
            throw Problem(cause: "it is truncated: a section ends beyond the end of the file")
        }
        return bytes[offset..<(offset + size)]
    }

    /// Returns the build ID that the static linker assigned, as hexadecimal digits. Returns nil if the library has no
    /// build ID.
    func buildID() throws(Problem) -> String? {
        guard let note = try section(named: ".note.gnu.build-id") else { return nil }
        // A note consists of the lengths of the name and the content, the type, the name "GNU" with a zero byte, and
        // the content.
        guard note.count > 16, note[note.startIndex] == 4, note.dropFirst(12).starts(with: "GNU\0".utf8) else {
            return nil
        }
        let digits = Array("0123456789abcdef")
        return String(
            note.dropFirst(16).prefix(Int(note[note.startIndex + 4])).flatMap {
                [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
            })
    }
}
