package import ViperKit

extension ElfFile {
    /// Replaces the search paths of a program or library, in place, by a text that is not longer.
    ///
    /// - Parameter paths: The new paths, separated by colons. `$ORIGIN` stands for the file's folder.
    /// - Throws: A problem if the file has no search paths, or shorter ones.
    static func setSearchPaths(_ paths: String, in bytes: inout [UInt8]) throws(Problem) {
        let file = try ElfFile(bytes)
        let entries = try file.dynamicEntries()
        func first(_ tag: Int) -> Int? { entries.first { $0.tag == tag }?.value }
        // The dynamic linker ignores DT_RPATH if there is a DT_RUNPATH.
        guard let table = first(strings), let entry = first(runPath) ?? first(searchPath) else {
            throw Problem(cause: "it has no search paths")
        }
        let start = try sum(try file.offset(ofAddress: table), entry)
        guard bytes.indices.contains(start), let end = bytes[start...].firstIndex(of: 0) else {
            throw Problem(cause: "its search paths are damaged")
        }
        guard paths.utf8.count <= end - start else {
            throw Problem(cause: "its search paths have room for \(end - start) bytes, not for \"\(paths)\"")
        }
        bytes.replaceSubrange(
            start..<end, with: Array(paths.utf8) + [UInt8](repeating: 0, count: end - start - paths.utf8.count))
    }
}

/// Returns a program or library with other search paths, which are not longer.
///
/// - Parameter path: The path of the file, for errors.
/// - Throws: ``ViperError/Code/libraryInvalid`` if it has none, or shorter ones.
package func relocated(
    _ bytes: [UInt8], of path: String, searching paths: String
) throws(ViperError) -> [UInt8] {
    var bytes = bytes
    do throws(ElfFile.Problem) { try ElfFile.setSearchPaths(paths, in: &bytes) } catch {
        throw ViperError(
            .libraryInvalid, operation: "cannot change the search paths of", subject: path, cause: error.cause)
    }
    return bytes
}
