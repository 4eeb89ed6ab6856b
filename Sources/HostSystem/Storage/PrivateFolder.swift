package import FoundationEssentials
import Glibc
package import ViperKit

/// A folder with mode 0700 that only this process uses.
///
/// The process holds a lock on the folder until it exits. A host removes its folder when it exits. If a host is killed,
/// the next process that creates such a folder removes the old one.
package final class PrivateFolder: Sendable {
    package let path: String
    /// The rules for the folders above this one.
    package let trust: Trust
    private let lock: Int32
    /// The path by which this process reaches the folder, even if the folder was renamed.
    package var ownPath: String { "/proc/self/fd/\(lock)" }

    /// Creates a folder below `$TMPDIR` for the libraries that this host loads.
    ///
    /// Truncating or overwriting a loaded file kills the process, so the host loads copies instead of the users' files.
    package convenience init(trust: Trust = Trust()) throws(ViperError) {
        try self.init(prefix: "viper-host", trust: trust)
    }

    /// Creates a folder below `$TMPDIR`.
    ///
    /// - Parameters:
    ///   - prefix: The start of the folder's name.
    ///   - trust: The rules for the folders above it.
    package convenience init(prefix: String, trust: Trust = Trust()) throws(ViperError) {
        // An empty TMPDIR would mean the working folder.
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        try self.init(
            in: try absolute(parent), prefix: "\(prefix)-\(getuid())-",
            recoverySuggestion: "set TMPDIR to a writable folder", trust: trust)
    }

    /// Creates a folder in another folder.
    ///
    /// - Parameters:
    ///   - parent: The absolute path of the other folder.
    ///   - prefix: The start of the folder's name.
    ///   - recoverySuggestion: The fix for errors.
    ///   - trust: The rules for the other folder and the folders above it.
    package init(
        in parent: String, prefix: String, recoverySuggestion: String, trust: Trust = Trust()
    ) throws(ViperError) {
        // Claims the standard descriptors first. Otherwise the lock could get one of their numbers, and code that
        // closes it again would release the lock.
        StandardDescriptors.claim()
        let folder: OpenFolder
        do { folder = try OpenFolder(parent, trust, as: .ancestor) } catch {
            throw error.refusal("cannot create a folder in", parent)
                ?? Self.failure(parent, error.errno, recoverySuggestion)
        }
        Self.removeAbandoned(in: folder.ownPath, prefix)
        var failure: Int32 = 0
        // Before the folder is locked, another host may take it for abandoned and remove it. Retry then; three failures
        // mean that locking does not work here.
        for _ in 1...3 {
            var template = Array("\(folder.ownPath)/\(prefix)XXXXXX".utf8CString)
            // mkdtemp writes the folder's name into the template.
            guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
                throw Self.failure(parent, errno, recoverySuggestion)
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let lock = Self.lock(path) {
                (self.trust, self.lock) = (trust, lock)
                self.path = (parent + path.dropFirst(folder.ownPath.count))
                // A forked child would keep the lock after this process exits, though it needs none of the files.
                CloseOnFork.insert(lock)
                return
            }
            failure = errno
            rmdir(path)
        }
        throw Self.failure(parent, failure, recoverySuggestion)
    }

    /// Writes a new file and returns its path. Throws if the file exists.
    package func write(_ content: Data, named name: String) throws(ViperError) -> String {
        let file = "\(ownPath)/\(name)"
        do {
            try content.write(to: URL(filePath: file), options: .withoutOverwriting)
        } catch {
            throw ViperError(
                .resourceMissing, "cannot write file", "\(path)/\(name)", cause: systemReason(error),
                recoverySuggestion: "free disk space, or set TMPDIR")
        }
        return "\(path)/\(name)"
    }

    /// Removes the folder. Code that was loaded from it stays in memory. Call this once.
    package func remove() {
        let files = FileManager.default
        // Foundation fails if another process removes an entry at the same moment.
        for _ in 1...10 where files.fileExists(atPath: path) { try? files.removeItem(atPath: path) }
        CloseOnFork.remove(lock)
        close(lock)
    }

    /// Removes this user's folders that no running process has locked.
    private static func removeAbandoned(in parent: String, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
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

    private static func failure(_ path: String, _ errno: Int32, _ recoverySuggestion: String) -> ViperError {
        ViperError(
            .resourceMissing, "cannot create a folder in", path, cause: String(cString: strerror(errno)),
            recoverySuggestion: recoverySuggestion)
    }
}
