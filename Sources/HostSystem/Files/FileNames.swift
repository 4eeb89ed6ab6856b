import FoundationEssentials
import Glibc
package import ViperKit

/// The names in a folder that end so, without hidden ones, sorted. None when there is no such folder.
package func fileNames(in folder: String, ending suffix: String) throws(ViperError) -> [String] {
    guard isFolder(folder) else { return [] }
    do {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
    } catch {
        throw ViperError(.folderUnreadable, "cannot list", folder, cause: systemReason(error), mend: "allow reading it")
    }
}

/// Whether there is a folder at this path.
package func isFolder(_ path: String) -> Bool {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
}

/// The path of the folder that something is in. "." if the path has one name only.
package func parentFolder(of path: String) -> String {
    guard let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
}

/// Returns the path as an absolute one, with its symbolic links. A relative path counts from the working folder.
///
/// Paths are made absolute where they enter the program: a worker has another root, and a module may change the working folder.
///
/// - Throws: ``ViperError/Code/folderUnreadable`` if the working folder was removed.
package func absolute(_ path: String) throws(ViperError) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = resolved(".") else {
        throw ViperError(
            .folderUnreadable, "cannot use", path, cause: "the working folder was removed",
            mend: "change to another folder, or write the whole path from /")
    }
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
}

/// The absolute path without symbolic links, or nil when nothing is there.
package func resolved(_ path: String) -> String? {
    // realpath allocates its result; we copy and free it.
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
}

/// The target of a symbolic link as it is written. Nil if there is no link.
package func linkTarget(_ path: String) -> String? {
    // Longer than any target that the kernel takes.
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
}
