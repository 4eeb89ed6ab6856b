import FoundationEssentials
import Glibc
package import ViperKit

/// Returns the sorted names of a folder's entries that end with a suffix, excluding hidden files. Returns an empty
/// array if the folder does not exist.
package func fileNames(in folder: String, ending suffix: String) throws(ViperError) -> [String] {
    guard isFolder(folder) else { return [] }
    do {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    } catch {
        throw ViperError(
            .folderUnreadable, operation: "cannot list folder", subject: folder, cause: systemReason(error),
            fix: "make it readable"
        )
    }
}

package func isFolder(_ path: String) -> Bool {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
}

package func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Returns the components of a path, separated by slash bytes as in the kernel.
///
/// Splitting by `Character` would join names, because a slash and a combining mark form one character.
package func pathNames(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
}

/// Returns true if a path is relative and its components are names, so that it leads to a file inside a folder.
package func isPlainPath(_ path: String) -> Bool {
    // Splits bytes, because a slash and a combining mark after it form one `Character`.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return !path.utf8.contains(0)
        && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
}

/// Returns true if the first byte of a path is a slash. Unlike this function, `hasPrefix` compares characters, so it
/// does not detect a slash before a combining mark.
package func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

/// Returns the path of the folder that contains a path's last component, or "." if the path contains no slash.
package func parentFolder(of path: String) -> String {
    guard let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
}

/// Returns the absolute form of a path without resolving symbolic links. A relative path starts at the working folder.
///
/// Call this function as soon as the program receives a path. A worker would resolve a relative path in its own root,
/// and a module may change the working folder.
///
/// - Throws: ``ViperError/Code/folderUnreadable`` if the working folder was removed.
package func absolute(_ path: String) throws(ViperError) -> String {
    if isAbsolute(path) { return path }
    guard let folder = resolved(".") else {
        throw ViperError(
            .folderUnreadable, operation: "cannot use path", subject: path, cause: "the working folder was removed",
            fix: "change to another folder, or give an absolute path")
    }
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
}

/// Returns the absolute path with symbolic links resolved, or nil if it cannot be resolved.
package func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
}

/// The number of this process in `/proc`, which may belong to another namespace.
let ownProcess = linkTarget("/proc/self") ?? "self"

/// Returns the unresolved target of a symbolic link, or nil if the path is not a link.
package func linkTarget(_ path: String) -> String? {
    // Linux limits a link's target to less than PATH_MAX bytes.
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
}
