/// Whether a library has arrived, or is still being copied.
///
/// A copy that was broken off, or that somebody looks at before its end, is no damaged library: it is not there yet. Only what
/// is whole is worth a word about what is wrong with it.
package enum Arrival {
    /// Whether the bytes are all of a library, by what its own headers say of its length.
    ///
    /// What is no library at all counts as whole: nothing says that there will be more, so it can be refused.
    package static func isWhole(_ content: [UInt8]) -> Bool {
        guard let first = content.first else { return false }
        // Some programs make a file in its full length first, and write into it then.
        if first == 0 { return false }
        guard content.starts(with: ElfFile.magic) else { return !ElfFile.magic.starts(with: content) }
        guard content.count >= ElfFile.headerSize else { return false }
        do {
            return try ElfFile.end(of: content).map { $0 <= content.count } ?? false
        } catch {
            // Its numbers are none that more bytes would mend.
            return true
        }
    }
}

extension ElfFile {
    /// Where the last thing ends that the tables of a file speak of: it is at least as long. Nil when a table itself is not all
    /// there.
    ///
    /// The table of sections counts, which the dynamic linker never reads: linkers and strip put it at the end.
    fileprivate static func end(of bytes: [UInt8]) throws(Problem) -> Int? {
        // Where in the header the table's place, the size of an entry and their number are; and in an entry, place and size of the
        // content; and the type of those that have none in the file, SHT_NOBITS.
        let tables = [(32, 54, 56, 8, 32, nil as UInt32?), (40, 58, 60, 24, 32, 8)]
        var end = headerSize
        for (placeField, entryField, countField, offsetField, sizeField, empty) in tables {
            let table: Int = try read(bytes, at: placeField)
            let entrySize: UInt16 = try read(bytes, at: entryField)
            let count: UInt16 = try read(bytes, at: countField)
            if count == 0 { continue }
            guard table >= 0, entrySize >= sizeField + 8 else { throw Problem(cause: "its headers are damaged") }
            let tableEnd = try sum(table, Int(entrySize) * Int(count))
            if tableEnd > bytes.count { return nil }
            end = max(end, tableEnd)
            for index in 0..<Int(count) {
                let entry = table + index * Int(entrySize)
                let type: UInt32 = try read(bytes, at: entry + (empty == nil ? 0 : 4))
                if type == empty { continue }
                let (offset, size): (Int, Int) = (
                    try read(bytes, at: entry + offsetField), try read(bytes, at: entry + sizeField)
                )
                guard offset >= 0, size >= 0 else { throw Problem(cause: "its headers are damaged") }
                end = max(end, try sum(offset, size))
            }
        }
        return end
    }
}
