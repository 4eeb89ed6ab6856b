import Glibc
package import ViperKit

/// A path and the rules on who may change it.
package struct TrustedPath: Sendable {
    package let path: String
    package let trust: Trust

    package init(path: String, trust: Trust) {
        (self.path, self.trust) = (path, trust)
    }
}

/// An open folder that complies with the rules of ``Trust``. Reads use this folder even if its path later leads to
/// another folder.
package final class OpenFolder: Sendable {
    /// The path at which the folder was opened.
    package let path: String
    let descriptor: Int32
    private let trust: Trust

    /// Creates an open folder after checking that its path complies with the rules.
    ///
    /// - Parameter path: An absolute path.
    package init(_ path: String, _ trust: Trust, as role: Trust.Role = .object) throws(RegularFile.Failure) {
        descriptor = try trust.open(path, flags: O_RDONLY | O_DIRECTORY, as: role)
        (self.path, self.trust) = (path, trust)
    }

    private init(_ name: String, in folder: OpenFolder) throws(RegularFile.Failure) {
        descriptor = try folder.trust.open(name, in: folder, flags: O_RDONLY | O_DIRECTORY)
        (path, trust) = ("\(folder.path == "/" ? "" : folder.path)/\(name)", folder.trust)
    }

    deinit { close(descriptor) }

    /// Opens a subfolder. Returns nil if the subfolder is missing.
    package func folder(_ name: String) throws(RegularFile.Failure) -> OpenFolder? {
        do { return try OpenFolder(name, in: self) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Opens a regular file in this folder.
    ///
    /// - Parameter followsLink: True to follow a symbolic link if every step complies with the rules. False to throw an
    ///   error.
    package func file(_ name: String, followsLink: Bool = true) throws(RegularFile.Failure) -> RegularFile {
        // If the name is not a link, one call is sufficient. With O_NONBLOCK, opening a named pipe does not wait for a
        // writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = openat(self.descriptor, name, flags | O_NOFOLLOW)
        if descriptor < 0, errno == ELOOP {
            guard followsLink else { throw RegularFile.Failure("it is a symbolic link") }
            descriptor = try trust.open(name, in: self, flags: flags)
        }
        guard descriptor >= 0 else { throw RegularFile.Failure(errno: errno) }
        let file = try RegularFile(descriptor: descriptor)
        try trust.check(file.status, of: "\(path)/\(name)", as: .object, descriptor)
        return file
    }

    /// Opens a regular file whose name was listed by ``names(ending:)``.
    ///
    /// A file whose name is not valid UTF-8 is listed, but cannot be opened by the listed name.
    package func listedFile(_ name: String) throws(RegularFile.Failure) -> RegularFile {
        do { return try file(name) } catch {
            throw error.isMissing && name.unicodeScalars.contains("\u{FFFD}") ? .misnamed : error
        }
    }

    /// Returns the identity of a regular file in this folder. Returns nil if the file is missing or is not a regular
    /// file, for example because it is a symbolic link.
    package func identity(ofRegularFile name: String) -> FileIdentity? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return FileIdentity(status)
    }

    /// Checks that a regular file in this folder complies with the rules. Opens the file only if its owner and
    /// permissions alone do not show this.
    package func checkTrust(_ name: String) throws(RegularFile.Failure) {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw RegularFile.Failure(errno: errno)
        }
        if status.st_mode & S_IFMT != S_IFREG || !trust.covers(status) { _ = try file(name) }
    }

    /// True if changes to files in this folder are visible immediately and update the files' times. Remote file systems
    /// and file systems in user space do not guarantee this.
    package var isLocal: Bool { ReadLease.isLocal(descriptor) }

    /// A path to the folder that works only in this process. It remains valid if the folder is renamed.
    package var ownPath: String { "/proc/self/fd/\(descriptor)" }

    /// Returns the sorted names of the folder's entries that end with a suffix, excluding hidden files.
    package func names(ending suffix: String) throws(ViperError) -> [String] {
        do { return try fileNames(in: ownPath, ending: suffix) } catch {
            var error = error
            error.subject = path
            throw error
        }
    }
}
