import Glibc
package import ViperKit

/// An error of the store with the system's reason.
package func storeFailure(_ what: String, _ path: String, errno: Int32 = Glibc.errno) -> ViperError {
    ViperError(.storeFailed, what, path, cause: String(cString: strerror(errno)))
}

/// Makes a folder that only its owner can use, with those above it, and brings it to the disk. Does nothing when it is there.
package func makeFolder(_ path: String) throws(ViperError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(parentFolder(of: path)) }
    if errno == EEXIST || errno == EISDIR {
        guard isFolder(path) else { throw storeFailure("cannot make folder", path, errno: ENOTDIR) }
        return
    }
    guard errno == ENOENT, parentFolder(of: path) != path else { throw storeFailure("cannot make folder", path) }
    try makeFolder(parentFolder(of: path))
    // Another process may have been faster.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw storeFailure("cannot make folder", path) }
    try syncFolder(parentFolder(of: path))
}

/// Writes a new file, in place of one of that name, and returns when it is on the disk. A file that could not be written
/// to its end is removed.
package func writeSynced(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600) throws(ViperError) {
    // Not truncated but made anew: an old one may have another mode, or be a link.
    unlink(path)
    // What a module prints is not to get into the file.
    StandardDescriptors.claim()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw storeFailure("cannot write", path) }
    var error: Int32 = 0
    // The mode that open is given is cut by the umask.
    if !isWritten(bytes, descriptor) || fchmod(descriptor, permissions) != 0 || fsync(descriptor) != 0 { error = errno }
    // Some file systems tell only here that the disk is full.
    if close(descriptor) != 0, error == 0 { error = errno }
    guard error == 0 else {
        unlink(path)
        throw storeFailure("cannot write", path, errno: error)
    }
}

/// Whether all was written; errno has the reason if not.
private func isWritten(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    // write(2) takes an address; the buffer lives as long as this closure, and the rebased slices stay inside it.
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Brings a folder's names to the disk.
package func syncFolder(_ path: String) throws(ViperError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw storeFailure("cannot open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw storeFailure("cannot write", path) }
}
