extension ElfFile {
    /// Replaces the search paths of a program or library, in place, by a text that is not longer.
    ///
    /// - Parameter paths: The new paths, separated by colons. `$ORIGIN` stands for the file's folder.
    /// - Throws: A problem if the file has no search paths, or shorter ones.
    static func setSearchPaths(_ paths: String, in bytes: inout [UInt8]) throws(Problem) {
        let file = try ElfFile(bytes)
        let entries = try file.dynamicEntries()
        // DT_STRTAB is 5. DT_RPATH is 15, and DT_RUNPATH is 29.
        guard let table = entries.first(where: { $0.tag == 5 }),
            let entry = entries.first(where: { $0.tag == 29 || $0.tag == 15 })
        else { throw Problem(cause: "it has no search paths") }
        let start = try sum(try file.offset(ofAddress: table.value), entry.value)
        guard start < bytes.count, let end = bytes[start...].firstIndex(of: 0) else {
            throw Problem(cause: "its search paths are damaged")
        }
        guard paths.utf8.count <= end - start else {
            throw Problem(cause: "its search paths have room for \(end - start) bytes, not for \"\(paths)\"")
        }
        bytes.replaceSubrange(
            start..<end, with: Array(paths.utf8) + [UInt8](repeating: 0, count: end - start - paths.utf8.count))
    }
}
