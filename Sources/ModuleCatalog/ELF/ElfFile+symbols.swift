extension ElfFile {
    /// The information that the dynamic linker needs to link a library. The `defined` array contains only functions.
    struct Linkage {
        var needs = Needs()
        /// The name under which other libraries need the library, from DT_SONAME.
        var name: String?
        var defined: [String] = []
        var undefined: [String] = []
        /// The undefined symbols that must be resolved when the library is loaded, excluding symbols that have a
        /// version. A version names the library that defines the symbol.
        var required: [String] = []
    }

    // The tags DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ and DT_GNU_HASH.
    static let (hash, strings, symbols, stringsSize, gnuHash) = (4, 5, 6, 10, 0x6FFF_FEF5)
    // The tags DT_SONAME and DT_VERSYM.
    private static let (ownName, versions) = (14, 0x6FFF_FFF0)

    /// A global symbol in the table of the dynamic linker.
    struct Symbol {
        var name: String
        /// The binding, such as 1 for STB_GLOBAL and 2 for STB_WEAK.
        var binding: UInt8
        var isDefined: Bool
        /// True for STT_FUNC.
        var isFunction: Bool
        /// The number of the symbol's version. 0 and 1 mean that it has none.
        var version: UInt16
    }

    /// Reads the linkage from the dynamic section. Like glibc, this method ignores the section headers.
    func linkage() throws(Problem) -> Linkage {
        let entries = try dynamicEntries()
        var linkage = Linkage(needs: try Self.needs(inFileOf: bytes.count, Self.parts(of: bytes)))
        if let offset = entries.first(where: { $0.tag == Self.ownName })?.value {
            linkage.name = try names(entries).string(at: offset)
        }
        try forEachSymbol(entries) { symbol in
            if !symbol.isDefined {
                linkage.undefined.append(symbol.name)
                // Unlike a weak symbol, a global one must be resolved.
                if symbol.binding == 1, symbol.version < 2 { linkage.required.append(symbol.name) }
            } else if symbol.isFunction {
                // The host calls entries, so a variable with the name of an entry does not count.
                linkage.defined.append(symbol.name)
            }
        }
        return linkage
    }

    /// Returns the table of the names that the dynamic linker uses.
    func names(_ entries: [(tag: Int, value: Int)]) throws(Problem) -> StringTable {
        func first(_ tag: Int) -> Int? { entries.first { $0.tag == tag }?.value }
        guard let address = first(Self.strings), let size = first(Self.stringsSize) else {
            throw Problem(cause: "its dynamic section has no symbol table")
        }
        return try StringTable(self, offset: offset(ofAddress: address), size: size)
    }

    /// Calls a closure for each symbol that other libraries can see.
    func forEachSymbol(
        _ entries: [(tag: Int, value: Int)], _ body: (Symbol) -> Void
    ) throws(Problem) {
        func first(_ tag: Int) -> Int? { entries.first { $0.tag == tag }?.value }
        let table = try names(entries)
        guard let symbolAddress = first(Self.symbols) else {
            throw Problem(cause: "its dynamic section has no symbol table")
        }
        let start = try offset(ofAddress: symbolAddress)
        // The table of versions has two bytes for each symbol.
        let versions: Int? = if let address = first(Self.versions) { try offset(ofAddress: address) } else { nil }
        // The first symbol is always empty.
        for index in 1..<max(1, try symbolCount(hash: first(Self.hash), gnuHash: first(Self.gnuHash))) {
            let symbol = try Self.sum(start, index * 24)
            let nameOffset: UInt32 = try read(at: symbol)
            let info: UInt8 = try read(at: try Self.sum(symbol, 4))
            let section: UInt16 = try read(at: try Self.sum(symbol, 6))
            // STB_LOCAL: the symbol is invisible to other libraries.
            if info >> 4 == 0 { continue }
            let name = try table.string(at: Int(nameOffset))
            let version: UInt16 =
                if section == 0, let versions { try read(at: try Self.sum(versions, index * 2)) } else { 0 }
            body(
                Symbol(
                    name: name, binding: info >> 4, isDefined: section != 0, isFunction: info & 0xF == 2,
                    version: version & 0x7FFF))
        }
    }

    /// Returns the number of symbols. It is derived from a hash table, because no header contains it.
    private func symbolCount(hash: Int?, gnuHash: Int?) throws(Problem) -> Int {
        let limit = bytes.count / 24
        if let hash {
            let count: UInt32 = try read(at: try Self.sum(try offset(ofAddress: hash), 4))
            guard count <= limit else { throw Problem(cause: "its symbol count is too large for the file") }
            return Int(count)
        }
        guard let gnuHash else { throw Problem(cause: "it has no symbol hash table") }
        let table = try offset(ofAddress: gnuHash)
        let bucketCount: UInt32 = try read(at: table)
        let firstHashed: UInt32 = try read(at: try Self.sum(table, 4))
        let bloomSize: UInt32 = try read(at: try Self.sum(table, 8))
        guard bucketCount <= limit, bloomSize <= limit else { throw Problem(cause: "its symbol hash table is damaged") }
        let buckets = try Self.sum(table, 16 + Int(bloomSize) * 8)
        var last: UInt32 = 0
        for bucket in 0..<Int(bucketCount) { last = max(last, try read(at: try Self.sum(buckets, bucket * 4))) }
        // Checks these numbers before any addition, because the addition could overflow.
        guard firstHashed <= limit, last <= limit else {
            throw Problem(cause: "its symbol count is too large for the file")
        }
        if last < firstHashed { return Int(firstHashed) }
        // The chain of the last bucket ends with the last symbol. The lowest bit marks the end.
        let chains = try Self.sum(buckets, Int(bucketCount) * 4)
        while true {
            let link: UInt32 = try read(at: try Self.sum(chains, Int(last - firstHashed) * 4))
            last += 1
            if link & 1 == 1 { return Int(last) }
            guard last <= limit else { throw Problem(cause: "its symbol count is too large for the file") }
        }
    }
}
