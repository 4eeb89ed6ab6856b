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

/// The absolute path without symbolic links, or nil when nothing is there.
package func resolved(_ path: String) -> String? {
    // realpath allocates its result; we copy and free it.
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
}
