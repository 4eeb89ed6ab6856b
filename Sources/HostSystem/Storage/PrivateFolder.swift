package import FoundationEssentials
import Glibc
package import ViperKit

/// A folder of this process, out of everybody's reach: mode 0700.
///
/// It is held by a lock as long as the process lives. A host removes it when it ends, and what hosts that were killed
/// have left when it begins.
package final class PrivateFolder: Sendable {
    package let path: String
    /// The rule for the folders above it.
    package let trust: Trust
    private let lock: Int32
    /// The path by which this process reaches the folder, whatever it is called by now.
    package var ownPath: String { "/proc/self/fd/\(lock)" }

    /// The folder where this host keeps the libraries that it has loaded, below `$TMPDIR`.
    ///
    /// A file that is truncated or overwritten while it is loaded kills the process, so none is loaded from where people
    /// copy.
    package convenience init(trust: Trust = Trust()) throws(ViperError) {
        try self.init(prefix: "viper-host", trust: trust)
    }

    /// A folder below `$TMPDIR`, whose name begins so.
    ///
    /// - Parameter trust: Who may change the folders above it.
    package convenience init(prefix: String, trust: Trust = Trust()) throws(ViperError) {
        // An empty one would be the root folder.
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        try self.init(
            in: try absolute(parent), prefix: "\(prefix)-\(getuid())-",
            mend: "set TMPDIR to a folder that can be written", trust: trust)
    }

    /// A folder in this one, whose name begins so.
    package init(
        in parent: String, prefix: String, mend: String, trust: Trust = Trust()
    ) throws(ViperError) {
        // Who closes a standard descriptor again must not let go of the lock.
        StandardDescriptors.claim()
        let folder: OpenFolder
        do { folder = try OpenFolder(parent, trust, as: .ancestor) } catch {
            throw error.refusal("cannot make a folder in", parent) ?? Self.failure(parent, error.errno, mend)
        }
        Self.removeAbandoned(in: folder.ownPath, prefix)
        var failure: Int32 = 0
        // Between making a folder and locking it another host may take it for abandoned and remove it; then anew. More than
        // twice in a row means that locking itself does not work here.
        for _ in 1...3 {
            var template = Array("\(folder.ownPath)/\(prefix)XXXXXX".utf8CString)
            // mkdtemp writes the folder's name over the template.
            guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
                throw Self.failure(parent, errno, mend)
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let lock = Self.lock(path) {
                (self.trust, self.lock) = (trust, lock)
                self.path = (parent + path.dropFirst(folder.ownPath.count))
                // A forked child would hold the folder after this process, though it needs none of its files.
                CloseOnFork.insert(lock)
                return
            }
            failure = errno
            rmdir(path)
        }
        throw Self.failure(parent, failure, mend)
    }

    /// Writes a file that nobody has written before.
    package func write(_ content: Data, named name: String) throws(ViperError) -> String {
        let file = "\(ownPath)/\(name)"
        do {
            try content.write(to: URL(filePath: file), options: .withoutOverwriting)
        } catch {
            throw ViperError(
                .resourceMissing, "cannot write", "\(path)/\(name)", cause: systemReason(error),
                mend: "make room, or set TMPDIR")
        }
        return "\(path)/\(name)"
    }

    /// Removes the folder. What is loaded from it stays in memory.
    package func remove() {
        let files = FileManager.default
        // Foundation gives up when something in it is removed by somebody else at the same moment.
        for _ in 1...10 where files.fileExists(atPath: path) { try? files.removeItem(atPath: path) }
        CloseOnFork.remove(lock)
        close(lock)
    }

    /// Removes the folders of this user's hosts that no living process holds.
    private static func removeAbandoned(in parent: String, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
    }

    /// Locks a folder. Nil when it is gone, is no folder, or another process holds it.
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

    private static func failure(_ path: String, _ errno: Int32, _ mend: String) -> ViperError {
        ViperError(
            .resourceMissing, "cannot make a folder in", path, cause: String(cString: strerror(errno)), mend: mend)
    }
}
