package import FoundationEssentials
import Glibc

/// A regular file that is open for reading. Its descriptor is closed when the value is destroyed.
///
/// Opening a named pipe or a device fails instead of blocking the host. Each read has a size limit to prevent a huge
/// file from exhausting memory.
package struct RegularFile: ~Copyable, Sendable {
    /// The reason why a file cannot be read. `errno` is 0 if the cause is not a system error.
    package struct Failure: Error {
        package var errno: Int32
        package var cause: String
        /// The fix for a path that violates the rules of ``Trust``. Nil for other failures.
        var fix: String?

        package init(errno: Int32) {
            (self.errno, cause) = (errno, String(cString: strerror(errno)))
        }

        package init(_ cause: String, errno: Int32 = 0) { (self.errno, self.cause) = (errno, cause) }

        package static var misnamed: Self { Failure("its name is not valid UTF-8") }

        /// True if the path violates the rules of ``Trust``.
        package var isUntrusted: Bool { fix != nil }
        package var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }
        package var isMisnamed: Bool { cause == Self.misnamed.cause }
    }

    let status: stat
    package let descriptor: Int32

    package var size: Int { Int(status.st_size) }
    package var inode: UInt { UInt(status.st_ino) }
    package var owner: UInt32 { status.st_uid }
    package var permissions: UInt32 { status.st_mode & 0o7777 }

    /// Creates a regular file by opening the file at a path.
    ///
    /// - Parameter followsLink: True to follow a symbolic link in the path's last component. False to throw an error.
    package init(path: String, followsLink: Bool = true) throws(Failure) {
        // With O_NONBLOCK, opening a named pipe does not wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = open(path, followsLink ? flags : flags | O_NOFOLLOW)
        if descriptor < 0, errno == ELOOP, !followsLink { throw Failure("it is a symbolic link") }
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        try self.init(descriptor: descriptor)
    }

    /// Creates a file from a descriptor that is open for reading, and takes ownership of the descriptor. If the
    /// descriptor does not refer to a regular file, closes it and throws.
    package init(descriptor: Int32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure("it is not a regular file")
        }
        (self.descriptor, self.status) = (descriptor, status)
    }

    deinit { close(descriptor) }

    /// Returns the same open file with a descriptor of its own.
    package func duplicate() throws(Failure) -> RegularFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(errno: errno) }
        return try RegularFile(descriptor: copy)
    }

    /// A path to the open file that works while this process has it open, also in other processes of its user.
    package var ownPath: String { "/proc/\(ownProcess)/fd/\(descriptor)" }

    /// Returns the open file's path without symbolic links, or nil if the path is unknown.
    ///
    /// The path comes from the descriptor, so it belongs to the open file even if another file has replaced that file
    /// at its original path.
    package func realPath() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Returns the file's whole content.
    ///
    /// - Parameter limit: The maximum size in bytes. If the file is larger, this method throws without reading it.
    package func read(limit: Int) throws(Failure) -> Data {
        guard size <= limit else { throw Failure("it has \(size) bytes, more than the limit of \(limit)") }
        return try read(at: 0, count: size)
    }

    /// Returns a part of the file's content. The part is shorter if the file has become shorter since it was opened.
    ///
    /// - Parameters:
    ///   - offset: The offset of the part in bytes.
    ///   - length: The size of the part in bytes.
    package func read(at offset: Int, count length: Int) throws(Failure) -> Data {
        var data = Data(count: length)
        var filled = 0
        while filled < length {
            let count = data.withUnsafeMutableBytes { buffer in
                // The buffer is not empty, so it has a base address.
                pread(descriptor, buffer.baseAddress! + filled, length - filled, off_t(offset + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno: errno) }
            if count == 0 { break }
            filled += count
        }
        return filled == length ? data : data.prefix(filled)
    }
}
