import HostSystem

extension ElfFile {
    /// Returns a section's content, or nil if the file does not have a section with this name. Sections are intended
    /// for tools. The dynamic linker does not read the section table.
    func section(named name: String) throws(Problem) -> ArraySlice<UInt8>? {
        try Self.section(named: name, inFileOf: bytes.count, Self.parts(of: bytes))
    }

    /// Returns a section's content by reading only the header, the section table, the names, and the section.
    ///
    /// - Parameter size: The size of the file in bytes.
    static func section(
        named name: String, inFileOf size: Int, _ part: Part
    ) throws(Problem) -> ArraySlice<UInt8>? {
        guard let place = try place(ofSection: name, inFileOf: size, part) else { return nil }
        return try bytes(place.offset, place.size, inFileOf: size, part)
    }

    /// The place of a section in a file.
    struct SectionPlace {
        /// The offset of the section's header.
        var header: Int
        /// The offset of the section's content. The content may end beyond the end of the file.
        var offset: Int
        var size: Int
    }

    private static func bytes(
        _ offset: Int, _ count: Int, inFileOf size: Int, _ part: Part
    ) throws(Problem) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, try sum(offset, count) <= size else {
            throw Problem(cause: "it is truncated: a section ends beyond the end of the file")
        }
        return try part(offset, count)
    }

    /// Returns the place of a section by reading only the header, the section table, and the names. Returns nil if the
    /// file does not have a section with this name.
    ///
    /// - Parameter size: The size of the file in bytes.
    static func place(
        ofSection name: String, inFileOf size: Int, _ part: Part
    ) throws(Problem) -> SectionPlace? {
        func bytes(_ offset: Int, _ count: Int) throws(Problem) -> ArraySlice<UInt8> {
            try Self.bytes(offset, count, inFileOf: size, part)
        }
        let header = [UInt8](try bytes(0, headerSize))
        let table: Int = try read(header, at: 40)
        let entrySize: UInt16 = try read(header, at: 58)
        let count: UInt16 = try read(header, at: 60)
        let namesIndex: UInt16 = try read(header, at: 62)
        // The library has no sections, for example because it was stripped.
        if table == 0 || count == 0 { return nil }
        guard entrySize == 64, namesIndex < count else { throw Problem(cause: "its section headers are damaged") }
        let headers = [UInt8](try bytes(table, Int(count) * 64))
        func place(_ index: Int) throws(Problem) -> SectionPlace {
            let type: UInt32 = try read(headers, at: index * 64 + 4)
            // SHT_NOBITS: the section has no content in the file.
            if type == 8 { return SectionPlace(header: table + index * 64, offset: 0, size: 0) }
            return SectionPlace(
                header: table + index * 64, offset: try read(headers, at: index * 64 + 24),
                size: try read(headers, at: index * 64 + 32))
        }
        let namesPlace = try place(Int(namesIndex))
        let names = try bytes(namesPlace.offset, namesPlace.size)
        let wanted = Array(name.utf8) + [0]
        for index in 0..<Int(count) {
            let offset: UInt32 = try read(headers, at: index * 64)
            guard offset < names.count else { continue }
            // Compares only as many bytes as the name has. In a damaged file, many sections may share a single name
            // that is not terminated.
            if names[(names.startIndex + Int(offset))...].starts(with: wanted) { return try place(index) }
        }
        return nil
    }

    private static let idSection = ".note.gnu.build-id"

    /// Returns the build ID that the static linker assigned, as hexadecimal digits. Returns nil if the library has no
    /// build ID.
    func buildID() throws(Problem) -> String? { try section(named: Self.idSection).flatMap(Self.buildID) }

    /// Returns the same by reading only a part of a file.
    static func buildID(of file: borrowing RegularFile) throws(Problem) -> String? {
        let note = try section(named: idSection, inFileOf: file.size) { offset, count throws(Problem) in
            try part(of: file, offset, count)
        }
        return note.flatMap(buildID)
    }

    private static func buildID(in note: ArraySlice<UInt8>) -> String? {
        // A note consists of the lengths of the name and the content, the type, the name "GNU" with a zero byte, and
        // the content.
        guard note.count > 16, note[note.startIndex] == 4, note.dropFirst(12).starts(with: "GNU\0".utf8) else {
            return nil
        }
        return hexadecimal(note.dropFirst(16).prefix(Int(note[note.startIndex + 4])))
    }

    static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
