import Glibc
import ViperKit

/// An error of the store with the system's reason.
func storeFailure(_ what: String, _ path: String, errno: Int32 = Glibc.errno) -> ViperError {
    ViperError(.storeFailed, what, path, cause: String(cString: strerror(errno)))
}

/// Makes a folder that only its owner can use, with those above it, and brings it to the disk. Does nothing when it is there.
func makeFolder(_ path: String) throws(ViperError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(parent(of: path)) }
    if errno == EEXIST || errno == EISDIR {
        guard isFolder(path) else { throw storeFailure("cannot make folder", path, errno: ENOTDIR) }
        return
    }
    guard errno == ENOENT, parent(of: path) != path else { throw storeFailure("cannot make folder", path) }
    try makeFolder(parent(of: path))
    // Another process may have been faster.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw storeFailure("cannot make folder", path) }
    try syncFolder(parent(of: path))
}

private func parent(of path: String) -> String {
    guard let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
}

/// Writes a new file, in place of one of that name, and returns when it is on the disk. A file that could not be written
/// to its end is removed.
func writeSynced(_ bytes: [UInt8], to path: String) throws(ViperError) {
    // Not truncated but made anew: an old one may have another mode, or be a link.
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw storeFailure("cannot write", path) }
    var error: Int32 = 0
    if !isWritten(bytes, descriptor) || fsync(descriptor) != 0 { error = errno }
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
func syncFolder(_ path: String) throws(ViperError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw storeFailure("cannot open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw storeFailure("cannot write", path) }
}
