package import FoundationEssentials
import Glibc
import Synchronization
package import ViperKit

/// A folder with mode 0700 that only this process uses.
///
/// The process holds a lock on the folder until it removes the folder or exits. A host removes its folder when it
/// exits. If a host is killed, the next process that creates a folder with the same prefix removes the abandoned
/// folder.
package final class PrivateFolder: Sendable {
    /// The paths of this process's folders. Nil if the process is ending and creates no more.
    private static let all = Mutex<Set<String>?>([])

    package let path: String
    /// The trust rules for the folders above this folder.
    package let trust: Trust
    private let lock: Int32
    /// A path to the folder that works while this process exists. It remains valid if the folder is renamed.
    ///
    /// It names this process by its number, so that a debugger can read the libraries that the process loads.
    package var ownPath: String { "/proc/\(ownProcess)/fd/\(lock)" }

    /// Creates a folder in `$TMPDIR` for the libraries that this host loads.
    ///
    /// If a loaded file is truncated or overwritten, the process crashes. The host therefore loads copies of the users'
    /// files.
    package convenience init(trust: Trust = Trust()) throws(ViperError) {
        try self.init(prefix: Self.ofLibraries, trust: trust)
    }

    /// Creates a folder in `$TMPDIR`.
    ///
    /// - Parameters:
    ///   - prefix: The start of the folder's name.
    ///   - trust: The trust rules for the folders above the new folder.
    package convenience init(prefix: String, trust: Trust = Trust()) throws(ViperError) {
        try self.init(
            in: try absolute(Self.temporary), prefix: "\(prefix)-\(getuid())-",
            fix: "set TMPDIR to a writable folder", trust: trust)
    }

    private static let ofLibraries = "viper-host"

    /// A path like that of the folder for the libraries that a host loads. Nobody can guess it and make such a folder.
    package static var exampleOfLibraries: String? { (try? absolute(temporary)).map { "\($0)/\(example)" } }
    private static let example = "\(ofLibraries)-\(getuid())-\(UInt64.random(in: 0 ... .max))"

    /// The folder for temporary files. An empty TMPDIR would otherwise refer to the working folder.
    private static var temporary: String {
        environmentVariable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Checks that libraries can be loaded from the folder for temporary files. Another check says why it is missing.
    ///
    /// - Parameter library: The library to show in the error.
    /// - Throws: An error if the file system is mounted with `noexec`.
    package static func checkPrograms(for library: String) throws(ViperError) {
        var status = statvfs()
        // ST_NOEXEC, which <sys/statvfs.h> declares behind _GNU_SOURCE.
        guard statvfs(temporary, &status) == 0, status.f_flag & 8 != 0 else { return }
        throw ViperError(
            .folderNotExecutable, operation: "cannot load library", subject: library,
            cause: "the host loads copies of libraries from \(temporary), whose file system is mounted with noexec",
            fix: "set TMPDIR to a folder on a file system without noexec, or remount it with exec")
    }

    /// Creates a folder in a parent folder.
    ///
    /// - Parameters:
    ///   - parent: The absolute path of the parent folder.
    ///   - prefix: The start of the new folder's name.
    ///   - fix: The fix that errors suggest.
    ///   - trust: The trust rules for the parent folder and the folders above it.
    package init(
        in parent: String, prefix: String, fix: String, trust: Trust = Trust()
    ) throws(ViperError) {
        // Claims the standard descriptors first. Otherwise, the lock could get the number of a standard descriptor, and
        // code that closes that descriptor would release the lock.
        StandardDescriptors.claim()
        if Self.all.withLock({ $0 == nil }) { throw Self.failure(parent, ECANCELED, fix) }
        let folder: OpenFolder
        do { folder = try OpenFolder(parent, trust, as: .ancestor) } catch {
            throw error.refusal("cannot create a folder in", parent)
                ?? Self.failure(parent, error.errno, fix)
        }
        Self.removeAbandoned(in: folder.ownPath, prefix)
        var failure: Int32 = 0
        // Another host may consider the folder abandoned and remove it before it is locked. In that case, this loop
        // retries. After three failures, it assumes that locking does not work here.
        for _ in 1...3 {
            var template = Array("\(folder.ownPath)/\(prefix)XXXXXX".utf8CString)
            // mkdtemp writes the folder's name into the template.
            guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
                throw Self.failure(parent, errno, fix)
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let lock = Self.lock(path) {
                (self.trust, self.lock) = (trust, lock)
                self.path = (parent + path.dropFirst(folder.ownPath.count))
                // Without this call, a forked child would keep the lock after this process exits.
                CloseOnFork.insert(lock)
                let isKept = Self.all.withLock { [path = self.path] all in
                    all?.insert(path)
                    return all != nil
                }
                if isKept { return }
                // A signal has ended the process since the check above, so nobody else removes this folder.
                rmdir(path)
                CloseOnFork.remove(lock)
                close(lock)
                throw Self.failure(parent, ECANCELED, fix)
            }
            failure = errno
            rmdir(path)
        }
        throw Self.failure(parent, failure, fix)
    }

    /// Writes a new file and returns its path. Throws if the file already exists.
    ///
    /// - Parameter size: The size of the file in bytes, if it is larger than its content. The rest is a hole, which takes
    ///   no space.
    package func write(_ content: Data, named name: String, size: Int = 0) throws(ViperError) -> String {
        // There is no point in syncing to disk, because the folder is useless once this process has exited.
        var error = writeNewFile(content, to: "\(ownPath)/\(name)", permissions: 0o600, isSynced: false)
        if error == nil, size > content.count, truncate("\(ownPath)/\(name)", off_t(size)) != 0 { error = errno }
        if let error {
            throw ViperError(
                .resourceMissing, operation: "cannot write file", subject: "\(path)/\(name)",
                cause: systemReason(error),
                fix: "free disk space, or set TMPDIR")
        }
        return "\(path)/\(name)"
    }

    /// Creates a folder in this folder, with mode 0700. A worker uses it only if other users cannot write to it, whatever
    /// the umask or a default access control list allows.
    package func makeFolder(named name: String) throws(ViperError) {
        if mkdir("\(ownPath)/\(name)", 0o700) == 0 { return }
        throw ViperError(
            .resourceMissing, operation: "cannot create folder", subject: "\(path)/\(name)", cause: systemReason(errno),
            fix: "free disk space, or set TMPDIR")
    }

    /// Removes the folder. Code that was loaded from the folder stays in memory. Call this method only once.
    package func remove() {
        Self.removeItem(path)
        _ = Self.all.withLock { $0?.remove(path) }
        CloseOnFork.remove(lock)
        close(lock)
    }

    /// Removes all folders of this process, because a signal ends it. No folder can be created afterwards.
    package static func removeAll() {
        let paths = all.withLock { all in
            defer { all = nil }
            return all ?? []
        }
        // Another thread may still write into a folder. The caller limits the time.
        for path in paths { while access(path, F_OK) == 0 { removeItem(path) } }
    }

    private static func removeItem(_ path: String) {
        let files = FileManager.default
        // Foundation fails if another process adds or removes an entry at the same time.
        for _ in 1...10 where access(path, F_OK) == 0 { try? files.removeItem(atPath: path) }
    }

    /// Removes this user's folders whose names start with the prefix, unless a running process has locked them.
    package static func removeAbandoned(in parent: String, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            removeItem(path)
            close(lock)
        }
    }

    /// Locks a folder and returns its descriptor. Returns nil if the folder is missing, belongs to another user, or is
    /// locked by another process.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0,
            status.st_uid == getuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func failure(_ path: String, _ errno: Int32, _ fix: String) -> ViperError {
        ViperError(
            .resourceMissing, operation: "cannot create a folder in", subject: path,
            cause: String(cString: strerror(errno)),
            fix: fix)
    }
}
