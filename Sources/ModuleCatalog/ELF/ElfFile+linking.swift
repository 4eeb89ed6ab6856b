extension ElfFile {
    private struct Symbols {
        var offset: Int
        var names: StringTable
    }

    /// Returns true if the library defines a global symbol with this name. Like the dynamic linker, this method uses
    /// the GNU hash table.
    ///
    /// - Throws: ``Problem`` if the file is damaged or has no GNU hash table.
    func defines(_ name: String) throws(Problem) -> Bool {
        let entries = try dynamicEntries()
        let symbols = try symbols(entries)
        let table = try offset(ofAddress: try Self.first(Self.gnuHash, in: entries))
        let bucketCount: UInt32 = try read(at: table)
        let firstHashed: UInt32 = try read(at: try Self.sum(table, 4))
        let bloomSize: UInt32 = try read(at: try Self.sum(table, 8))
        guard bucketCount > 0 else { return false }
        let buckets = try Self.sum(table, 16 + Int(bloomSize) * 8)
        let chains = try Self.sum(buckets, Int(bucketCount) * 4)
        let hash = name.utf8.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32($1) }
        let start: UInt32 = try read(at: try Self.sum(buckets, Int(hash % bucketCount) * 4))
        guard start >= firstHashed else { return false }
        var index = Int(start)
        while true {
            let link: UInt32 = try read(at: try Self.sum(chains, (index - Int(firstHashed)) * 4))
            if link | 1 == hash | 1 {
                let symbol = try Self.sum(symbols.offset, index * 24)
                let nameOffset: UInt32 = try read(at: symbol)
                let section: UInt16 = try read(at: try Self.sum(symbol, 6))
                if section != 0, try symbols.names.string(at: Int(nameOffset)) == name { return true }
            }
            // The lowest bit marks the end of a chain.
            if link & 1 == 1 { return false }
            index += 1
            // No valid chain is this long. Without the limit, reading a damaged library could take hours.
            if index - Int(start) > 10_000 { throw Problem(cause: "its symbol hash table is damaged") }
        }
    }

    /// Returns the subset of the names that the dynamic linker must resolve when it loads the library.
    func references(to names: Set<String>) throws(Problem) -> Set<String> {
        let entries = try dynamicEntries()
        let symbols = try symbols(entries)
        var indices: Set<Int> = []
        // The tags DT_RELA and DT_RELASZ, and the tags DT_JMPREL and DT_PLTRELSZ.
        for (start, size) in [(7, 8), (23, 2)] {
            guard let size = try? Self.first(size, in: entries) else { continue }
            let relocations = try offset(ofAddress: try Self.first(start, in: entries))
            for index in 0..<(max(0, size) / 24) {
                // The symbol's index is the upper half of r_info.
                let symbol: UInt32 = try read(at: try Self.sum(relocations, index * 24 + 12))
                indices.insert(Int(symbol))
            }
        }
        var found: Set<String> = []
        for index in indices where index > 0 {
            let nameOffset: UInt32 = try read(at: try Self.sum(symbols.offset, index * 24))
            let name = try symbols.names.string(at: Int(nameOffset))
            if names.contains(name) { found.insert(name) }
        }
        return found
    }

    private func symbols(_ entries: [(tag: Int, value: Int)]) throws(Problem) -> Symbols {
        Symbols(
            offset: try offset(ofAddress: try Self.first(Self.symbols, in: entries)),
            names: try StringTable(
                self, offset: try offset(ofAddress: try Self.first(Self.strings, in: entries)),
                size: try Self.first(Self.stringsSize, in: entries)))
    }

    private static func first(_ tag: Int, in entries: [(tag: Int, value: Int)]) throws(Problem) -> Int {
        guard let entry = entries.first(where: { $0.tag == tag }) else {
            throw Problem(cause: "its dynamic section has no entry \(tag)")
        }
        return entry.value
    }
}
