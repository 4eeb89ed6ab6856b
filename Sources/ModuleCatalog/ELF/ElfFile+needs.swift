import HostSystem

extension ElfFile {
    /// The libraries that a library needs, and the folders in which the dynamic linker searches for them.
    struct Needs {
        var libraries: [String] = []
        /// The folders to search for needed libraries, from DT_RUNPATH or, if there is none, from DT_RPATH. Variables
        /// such as `$ORIGIN` are not expanded.
        var searchPaths: [String] = []
        /// True if the dynamic linker also searches these folders for the libraries that the needed libraries need,
        /// because they come from DT_RPATH.
        var passesSearchPathsOn = false
    }

    /// The tags DT_NEEDED, DT_AUXILIARY and DT_FILTER. The dynamic linker loads an auxiliary library only if it exists,
    /// but the host treats it like the others. DT_AUDIT and DT_DEPAUDIT have an effect only in a program.
    private static let neededTags = [1, 0x7FFF_FFFD, 0x7FFF_FFFF]
    // The tags DT_RPATH and DT_RUNPATH.
    static let (searchPath, runPath) = (15, 29)

    /// Returns the needs of a library by reading only its headers, its dynamic section, and the names.
    static func needs(of file: borrowing RegularFile) throws(Problem) -> Needs {
        try needs(inFileOf: file.size) { offset, count throws(Problem) in try part(of: file, offset, count) }
    }

    /// Returns the needs of a library by reading only parts of it.
    ///
    /// - Parameter size: The size of the file in bytes.
    static func needs(inFileOf size: Int, _ part: Part) throws(Problem) -> Needs {
        let layout = try ElfLayout(inFileOf: size, part)
        let entries = try layout.dynamicEntries(part)
        func first(_ tag: Int) -> Int? { entries.first { $0.tag == tag }?.value }
        guard let address = first(strings), let namesSize = first(stringsSize) else {
            throw Problem(cause: "its dynamic section has no symbol table")
        }
        let names = try layout.offset(ofAddress: address)
        func name(at offset: Int) throws(Problem) -> String {
            guard namesSize >= 0, try sum(names, namesSize) <= size else { throw StringTable.truncated }
            guard offset >= 0, offset < namesSize else { throw StringTable.outside }
            return try StringTable(part(names + offset, min(StringTable.longest, namesSize - offset))).string(at: 0)
        }
        var needs = Needs()
        for entry in entries where neededTags.contains(entry.tag) {
            needs.libraries.append(try name(at: entry.value))
        }
        needs.passesSearchPathsOn = first(runPath) == nil
        // The dynamic linker ignores DT_RPATH beside DT_RUNPATH.
        if let offset = first(runPath) ?? first(searchPath) {
            let paths = try name(at: offset)
            needs.searchPaths = paths.isEmpty ? [] : Self.paths(paths)
        }
        return needs
    }

    /// Returns a part of a file without reading the rest. See ``Part``.
    static func part(
        of file: borrowing RegularFile, _ offset: Int, _ count: Int
    ) throws(Problem) -> ArraySlice<UInt8> {
        // In a damaged file, a table may be as large as the file.
        guard count <= ElfFile.limit else {
            throw Problem(cause: "a part of it has \(count) bytes, more than the limit of \(ElfFile.limit)")
        }
        do { return ArraySlice(try file.read(at: offset, count: count)) } catch {
            throw Problem(cause: error.cause)
        }
    }

    /// Returns the paths in a list with colons, including empty ones.
    private static func paths(_ list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
