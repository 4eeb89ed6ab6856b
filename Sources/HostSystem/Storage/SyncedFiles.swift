package import FoundationEssentials
import Glibc
package import ViperKit

package func storeFailure(_ what: String, _ path: String, errno: Int32 = Glibc.errno) -> ViperError {
    ViperError(.storeFailed, operation: what, subject: path, cause: String(cString: strerror(errno)))
}

/// Creates a folder and its missing parent folders with mode 0700, and syncs them. Does nothing if the folder exists.
package func makeFolder(_ path: String) throws(ViperError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(parentFolder(of: path)) }
    if errno == EEXIST || errno == EISDIR {
        guard isFolder(path) else { throw storeFailure("cannot create folder", path, errno: ENOTDIR) }
        return
    }
    guard errno == ENOENT, parentFolder(of: path) != path else { throw storeFailure("cannot create folder", path) }
    try makeFolder(parentFolder(of: path))
    // Another process may have created the folder first.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw storeFailure("cannot create folder", path) }
    try syncFolder(parentFolder(of: path))
}

/// Replaces a file and syncs its content. If writing fails, removes the file.
package func writeSynced(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600) throws(ViperError) {
    // Creates a new file instead of truncating the old file, because the old file may be a link or have a different
    // mode.
    unlink(path)
    if let error = writeNewFile(bytes, to: path, permissions: permissions, isSynced: true) {
        throw storeFailure("cannot write file", path, errno: error)
    }
}

/// Appends parts to a file, and syncs its content. If writing fails, the file keeps a part of them.
///
/// - Parameter parts: The parts of the content, which are produced one after the other.
package func appendSynced<Part>(
    _ parts: [Part], to path: String, _ content: (Part) throws(ViperError) -> Data
) throws(ViperError) {
    StandardDescriptors.claim()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw storeFailure("cannot open file", path) }
    defer { close(descriptor) }
    for part in parts where !isWritten(try content(part), descriptor) { throw storeFailure("cannot write file", path) }
    guard fsync(descriptor) == 0 else { throw storeFailure("cannot write file", path) }
}

/// Writes a file that does not exist yet. If writing fails, removes the file.
///
/// - Parameter isSynced: True to sync the content to disk.
/// - Returns: The error number, or nil if the file was written.
package func writeNewFile(
    _ bytes: some ContiguousBytes, to path: String, permissions: UInt32, isSynced: Bool
) -> Int32? {
    // Without this call, the file could get the descriptor number of standard output, and a module that prints would
    // write to the file.
    StandardDescriptors.claim()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { return errno }
    var error: Int32 = 0
    // `open` applies the umask to the mode.
    if !isWritten(bytes, descriptor) || fchmod(descriptor, permissions) != 0 || isSynced && fsync(descriptor) != 0 {
        error = errno
    }
    // Some file systems report a full disk only on close.
    if close(descriptor) != 0, error == 0 { error = errno }
    if error == 0 { return nil }
    unlink(path)
    return error
}

/// Writes all bytes. Returns false if writing fails. In that case, `errno` contains the error.
private func isWritten(_ bytes: some ContiguousBytes, _ descriptor: Int32) -> Bool {
    // `write` requires a pointer. The buffer is valid until this closure returns, and the rebased slices do not leave
    // the closure.
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Syncs a folder to disk, including the names of its entries.
package func syncFolder(_ path: String) throws(ViperError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw storeFailure("cannot open folder", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw storeFailure("cannot write folder", path) }
}
