import FoundationEssentials
import HostSystem
import ViperKit

/// A folder with files to pack into a library.
struct ResourceFolder {
    let path: String

    /// Returns the index of all files in the folder and its subfolders, sorted by name.
    ///
    /// - Throws: ``ViperError/Code/fileUnreadable`` if an entry is neither a folder nor a readable file in this folder,
    ///   or ``ViperError/Code/folderUnreadable``.
    func index() throws(ViperError) -> ResourceIndex {
        let names: [String]
        do { names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted() } catch {
            throw ViperError(
                .folderUnreadable, operation: "cannot list folder", subject: path, cause: systemReason(error),
                fix: "make it readable")
        }
        var files: [ResourceIndex.File] = []
        for name in names where linkTarget("\(path)/\(name)") != nil || !isFolder("\(path)/\(name)") {
            let content = try content(of: name)
            files.append(ResourceIndex.File(name: name, size: content.count, digest: Digest(of: content)))
        }
        do { return try ResourceIndex(files) } catch {
            throw ViperError(
                .fileUnreadable, operation: "cannot pack folder", subject: path, cause: error.cause,
                fix: "rename the file")
        }
    }

    /// Returns the content of a file that is already in an index.
    ///
    /// - Throws: ``ViperError/Code/fileUnreadable`` if the file has changed, or cannot be read.
    func content(of file: ResourceIndex.File) throws(ViperError) -> Data {
        let content = try content(of: file.name)
        if Digest(of: content) == file.digest { return content }
        throw failure(file.name, "it changed while it was packed", fix: "retry")
    }

    private func content(of name: String) throws(ViperError) -> Data {
        do throws(RegularFile.Failure) {
            let file = try RegularFile(path: "\(path)/\(name)")
            guard let folder = resolved(path), file.realPath()?.utf8.starts(with: "\(folder)/".utf8) ?? false else {
                throw RegularFile.Failure("a symbolic link leads out of the folder")
            }
            return try file.read(limit: ResourceIndex.longestFile)
        } catch {
            throw failure(name, error.cause, fix: "make it a readable file, or remove it")
        }
    }

    private func failure(_ name: String, _ cause: String, fix: String) -> ViperError {
        ViperError(
            .fileUnreadable, operation: "cannot pack file", subject: "\(path)/\(name)", cause: cause, fix: fix)
    }
}
