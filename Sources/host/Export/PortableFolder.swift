import FoundationEssentials
import Glibc
import HostSystem
import ViperKit

/// A folder that is written for other users and machines. It contains only files and folders, with the same permissions
/// whatever the umask allows.
final class PortableFolder {
    private let path: String
    /// The files that were not copied, each with the reason.
    private(set) var omissions: [String] = []

    init(_ path: String) { self.path = path }

    /// The largest file to copy, in bytes. It is read in one piece.
    private static let longestFile = 1 << 30

    /// Writes a file.
    ///
    /// - Parameter name: The path in this folder.
    func write(_ content: Data, as name: String, isProgram: Bool = false) throws(ViperError) {
        try makeFolders(of: name)
        let error = writeNewFile(
            content, to: "\(path)/\(name)", permissions: isProgram ? 0o755 : 0o644, isSynced: false)
        if let error { throw Self.failure("\(path)/\(name)", error) }
    }

    /// Copies the content of a file or folder, once. Modules may share a library or a folder of resources. Follows links
    /// that lead to files inside a folder, and omits all others.
    func copy(_ source: String, as name: String) throws(ViperError) {
        if access("\(path)/\(name)", F_OK) == 0 { return }
        if isFolder(source) {
            guard let folder = resolved(source) else { throw Self.failure(source, errno) }
            try copyFolder(folder, as: name, inside: folder)
        } else {
            try write(try Self.content(of: source), as: name)
        }
    }

    private func copyFolder(_ source: String, as name: String, inside top: String) throws(ViperError) {
        try makeFolders(of: name + "/")
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: source) } catch {
            throw ViperError(
                .folderUnreadable, operation: "cannot list folder", subject: source, cause: systemReason(error))
        }
        for entry in names.sorted() {
            let (file, copy) = ("\(source)/\(entry)", "\(name)/\(entry)")
            var status = stat()
            guard lstat(file, &status) == 0 else { throw Self.failure(file, errno) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try copyFolder(file, as: copy, inside: top)
            case S_IFREG: try write(try Self.content(of: file), as: copy)
            case S_IFLNK:
                guard let target = resolved(file), target.hasPrefix(top + "/"), !isFolder(target) else {
                    omissions.append("\(copy), a link that leads to no file inside \(pathNames(top).last ?? top)")
                    continue
                }
                try write(try Self.content(of: target), as: copy)
            default: omissions.append("\(copy), which is not a regular file")
            }
        }
    }

    static func content(of path: String) throws(ViperError) -> Data {
        do throws(RegularFile.Failure) { return try RegularFile(path: path).read(limit: longestFile) } catch {
            throw ViperError(.fileUnreadable, operation: "cannot read", subject: path, cause: error.cause)
        }
    }

    /// Creates the folders above a file.
    private func makeFolders(of name: String) throws(ViperError) {
        var folder = path
        for part in [""] + pathNames(name).dropLast(name.hasSuffix("/") ? 0 : 1) {
            if !part.isEmpty { folder += "/\(part)" }
            if mkdir(folder, 0o755) != 0 {
                if errno == EEXIST { continue }
                throw Self.failure(folder, errno)
            }
            // The umask limits the mode of mkdir, but not that of chmod.
            chmod(folder, 0o755)
        }
    }

    static func failure(_ path: String, _ number: Int32) -> ViperError {
        ViperError(.outputFailed, operation: "cannot write", subject: path, cause: systemReason(number))
    }
}
