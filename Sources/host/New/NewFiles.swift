import FoundationEssentials
import Glibc
import HostSystem
import ViperKit

/// A set of files to create. Either all files are created, or none. Existing files are not overwritten.
struct NewFiles {
    /// The files, with paths relative to ``folder``.
    private(set) var files: [(path: String, text: String)] = []
    /// The folder in which to create the files. It is created if it does not exist.
    let folder: String

    init(in folder: String) { self.folder = folder }

    mutating func add(_ path: String, _ text: String) { files.append((path, text)) }

    mutating func add(_ texts: [String: String], in subfolder: String) {
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { add("\(subfolder)/\(name)", text) }
    }

    /// Writes the files.
    ///
    /// - Parameter finish: A closure that runs after all files are written. If it throws, the files are removed.
    /// - Throws: `file-exists` if a file already exists. In this case, no file is written. `output-failed` if a file
    ///   cannot be written, or the error that `finish` throws. In these cases, the new files are removed.
    func write(finish: () throws(ViperError) -> Void = {}) throws(ViperError) {
        for file in files { try Self.checkFree("\(folder)/\(file.path)", "cannot write file") }
        var made: [String] = []
        do throws(ViperError) {
            for file in files {
                try makeFolders(of: "\(folder)/\(file.path)", &made)
                try write(file.text, to: "\(folder)/\(file.path)", &made)
            }
            try finish()
        } catch {
            Self.remove(made)
            throw error
        }
    }

    /// - Throws: `file-exists` if there is a file or folder with this path.
    static func checkFree(_ path: String, _ operation: String) throws(ViperError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        throw ViperError(
            .fileExists, operation: operation, subject: path, cause: "it already exists",
            fix: "choose another name, or move the existing file")
    }

    private func makeFolders(of path: String, _ made: inout [String]) throws(ViperError) {
        let parts = path.split(separator: "/").dropLast()
        var folder = path.hasPrefix("/") ? "" : "."
        for part in parts {
            folder += "/\(part)"
            // The host refuses folders and files that other users can write to, whatever the umask allows.
            if mkdir(folder, 0o755) == 0 {
                made.append(folder)
            } else if errno != EEXIST, !isFolder(folder) {
                throw failure("cannot create folder", folder)
            }
        }
    }

    private func write(_ text: String, to path: String, _ made: inout [String]) throws(ViperError) {
        // O_EXCL is needed because another process may have created the file since the check.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot write file", path) }
        made.append(path)
        defer { close(descriptor) }
        do { try Terminal.writeVerbatim(text, to: descriptor) } catch {
            throw ViperError(.outputFailed, operation: "cannot write file", subject: path, cause: error.cause)
        }
    }

    private func failure(_ what: String, _ path: String) -> ViperError {
        ViperError(
            .outputFailed, operation: what, subject: path, cause: String(cString: strerror(errno)),
            fix: "make its folder writable, or choose another one")
    }

    /// Removes the given files and empty folders in reverse order.
    private static func remove(_ made: [String]) {
        for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
    }
}
