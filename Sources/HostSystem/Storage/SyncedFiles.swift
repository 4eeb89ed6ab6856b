import Glibc
package import ViperKit

package func storeFailure(_ what: String, _ path: String, errno: Int32 = Glibc.errno) -> ViperError {
    ViperError(.storeFailed, what, path, cause: String(cString: strerror(errno)))
}

/// Creates a folder with mode 0700 and the missing folders above it, and syncs them. Does nothing if the folder exists.
package func makeFolder(_ path: String) throws(ViperError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(parentFolder(of: path)) }
    if errno == EEXIST || errno == EISDIR {
        guard isFolder(path) else { throw storeFailure("cannot create folder", path, errno: ENOTDIR) }
        return
    }
    guard errno == ENOENT, parentFolder(of: path) != path else { throw storeFailure("cannot create folder", path) }
    try makeFolder(parentFolder(of: path))
    // Another process may have created it first.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw storeFailure("cannot create folder", path) }
    try syncFolder(parentFolder(of: path))
}

/// Replaces a file, and returns when the content is synced. Removes the file if writing fails.
package func writeSynced(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600) throws(ViperError) {
    // Create the file again instead of truncating it: an old file may have another mode, or be a link.
    unlink(path)
    // Otherwise the file could get the descriptor of standard output, and a module could print into it.
    StandardDescriptors.claim()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw storeFailure("cannot write file", path) }
    var error: Int32 = 0
    // `open` applies the umask to the mode.
    if !isWritten(bytes, descriptor) || fchmod(descriptor, permissions) != 0 || fsync(descriptor) != 0 { error = errno }
    // Some file systems report a full disk only on close.
    if close(descriptor) != 0, error == 0 { error = errno }
    guard error == 0 else {
        unlink(path)
        throw storeFailure("cannot write file", path, errno: error)
    }
}

/// Writes all bytes. If it returns false, `errno` has the reason.
private func isWritten(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    // `write` needs an address. The buffer lives as long as this closure, and the rebased slices stay inside it.
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

/// Syncs the entries of a folder.
package func syncFolder(_ path: String) throws(ViperError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw storeFailure("cannot open folder", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw storeFailure("cannot write folder", path) }
}
