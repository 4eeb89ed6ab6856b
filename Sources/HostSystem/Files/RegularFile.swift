package import FoundationEssentials
import Glibc

/// A regular file that is open for reading. It is closed when the value goes.
///
/// Everything that the runtime reads goes through here, so that a named pipe or a device under a file's name is refused
/// instead of blocking the host, and a huge one instead of filling its memory.
package struct RegularFile: ~Copyable {
    /// Why a file could not be read: errno, or a sentence of our own.
    package struct Failure: Error {
        package var errno: Int32
        package var cause: String
        /// The command that makes a path pass the rule of ``Trust``. Nil for other failures.
        var fix: String?

        init(errno: Int32) {
            // strerror answers for every number, also for an unknown one.
            (self.errno, cause) = (errno, String(cString: strerror(errno)))
        }

        package init(_ cause: String, errno: Int32 = 0) { (self.errno, self.cause) = (errno, cause) }

        package var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }
    }

    /// The status of the file when it was opened.
    let status: stat
    package let descriptor: Int32

    /// In bytes, when the file was opened.
    package var size: Int { Int(status.st_size) }
    /// Who owns the file, when it was opened.
    package var owner: UInt32 { status.st_uid }
    /// Who may do what with the file, when it was opened: 0o600 where it is its owner alone.
    package var permissions: UInt32 { status.st_mode & 0o7777 }

    /// Opens a file. A symbolic link at the path is followed, or refused.
    package init(path: String, followsLink: Bool = true) throws(Failure) {
        // O_NONBLOCK: opening a named pipe must not wait for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = open(path, followsLink ? flags : flags | O_NOFOLLOW)
        if descriptor < 0, errno == ELOOP, !followsLink { throw Failure("it is a symbolic link") }
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        try self.init(descriptor: descriptor)
    }

    /// Takes a descriptor that is open for reading, and closes it if it is of no regular file.
    package init(descriptor: Int32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure("it is not a regular file")
        }
        (self.descriptor, self.status) = (descriptor, status)
    }

    deinit { close(descriptor) }

    /// Where the file really is, with every symbolic link on its way resolved. Asked of the open descriptor, so that
    /// nobody can exchange the file between the question and the reading.
    package func realPath() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The whole content, at most `limit` bytes.
    package func read(limit: Int) throws(Failure) -> Data {
        guard size <= limit else { throw Failure("it has \(size) bytes, more than the limit of \(limit)") }
        var data = Data(count: size)
        var filled = 0
        while filled < size {
            let count = data.withUnsafeMutableBytes { buffer in
                // The buffer is not empty, so it has a base address.
                Glibc.read(descriptor, buffer.baseAddress! + filled, size - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno: errno) }
            // The file has become shorter meanwhile.
            if count == 0 { break }
            filled += count
        }
        return filled == size ? data : data.prefix(filled)
    }
}
