extension ElfFile {
    /// The versions of symbols that a library needs from another one, such as `GLIBC_2.34` from `libc.so.6`.
    struct NeededVersions: Equatable {
        var library: String
        var names: [String]
    }

    // The tags DT_VERNEED and DT_VERDEF.
    private static let (needed, defined) = (0x6FFF_FFFE, 0x6FFF_FFFC)

    /// The maximum number of entries that are read from one table. No valid library has as many.
    private static let versionLimit = 10_000

    /// Returns the versions that must be there when the library is loaded.
    func neededVersions() throws(Problem) -> [NeededVersions] {
        let entries = try dynamicEntries()
        guard let first = try place(of: Self.needed, in: entries) else { return [] }
        let table = try names(entries)
        var (all, rest) = ([NeededVersions](), Self.versionLimit)
        // An Elf64_Verneed has a number of Elf64_Vernaux, each with the offset of the next one.
        for entry in try offsets(from: first, next: 12, atMost: rest) {
            let (file, aux) = (try read(at: entry + 4) as UInt32, try read(at: entry + 8) as UInt32)
            var versions = NeededVersions(library: try table.string(at: Int(file)), names: [])
            let places = try offsets(from: try Self.sum(entry, Int(aux)), next: 12, atMost: rest)
            rest -= places.count
            for place in places {
                let (flags, name) = (try read(at: place + 4) as UInt16, try read(at: place + 8) as UInt32)
                // VER_FLG_WEAK: the version may be missing.
                if flags & 2 == 0 { versions.names.append(try table.string(at: Int(name))) }
            }
            all.append(versions)
        }
        return all
    }

    /// Returns the versions that the library defines. Empty if its symbols have none.
    func definedVersions() throws(Problem) -> Set<String> {
        let entries = try dynamicEntries()
        guard let first = try place(of: Self.defined, in: entries) else { return [] }
        let table = try names(entries)
        var all: Set<String> = []
        // The first Elf64_Verdaux of an Elf64_Verdef has its name.
        for entry in try offsets(from: first, next: 16, atMost: Self.versionLimit) {
            let aux: UInt32 = try read(at: entry + 12)
            let name: UInt32 = try read(at: try Self.sum(entry, Int(aux)))
            all.insert(try table.string(at: Int(name)))
        }
        return all
    }

    private func place(of tag: Int, in entries: [(tag: Int, value: Int)]) throws(Problem) -> Int? {
        guard let address = entries.first(where: { $0.tag == tag })?.value else { return nil }
        return try offset(ofAddress: address)
    }

    /// Returns the offsets of the entries of a list.
    ///
    /// - Parameter next: The offset in an entry of the distance to the next one. The distance is 0 in the last entry.
    private func offsets(from first: Int, next: Int, atMost limit: Int) throws(Problem) -> [Int] {
        var offsets = [first]
        while let last = offsets.last {
            let distance: UInt32 = try read(at: try Self.sum(last, next))
            if distance == 0 { return offsets }
            if offsets.count >= limit { throw Problem(cause: "its table of versions is damaged") }
            offsets.append(try Self.sum(last, Int(distance)))
        }
        return offsets
    }
}
