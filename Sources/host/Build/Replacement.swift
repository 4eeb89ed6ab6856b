import CSystem
import Glibc
import HostSystem
import ViperKit

/// A staged file or folder that replaces a target on the same file system. The replacement is atomic, unless the item
/// is a folder and the file system cannot exchange two paths.
struct Replacement {
    let staged: String
    let target: String
    private let isThere: Bool
    /// True if the target exists, and exactly one of the two items is a folder.
    private let isOtherKind: Bool

    init(of target: String, by staged: String) {
        (self.target, self.staged) = (target, staged)
        var status = stat()
        isThere = lstat(target, &status) == 0
        isOtherKind = isThere && isFolder(target) != isFolder(staged)
    }

    /// Moves the staged item to the target's path. If the target existed, it is at the staged path afterwards.
    func make() throws(ViperError) {
        if isOtherKind {
            throw ViperError(
                .fileExists, operation: "cannot replace", subject: target,
                cause: "it is \(isFolder(target) ? "a folder, expected a file" : "a file, expected a folder")",
                fix: "move or remove it")
        }
        if isThere ? exchange(staged, target) : rename(staged, target) == 0 { return }
        throw ViperError(
            .outputFailed, operation: "cannot replace", subject: target, cause: String(cString: strerror(errno)),
            fix: "make its folder writable, or give another --root DIR")
    }

    func undo() {
        _ = isThere ? exchange(staged, target) : rename(target, staged) == 0
    }

    private func exchange(_ first: String, _ second: String) -> Bool {
        // The flag 2 is RENAME_EXCHANGE, a macro that Glibc does not export to Swift. Some file systems do not support
        // it.
        renameat2(AT_FDCWD, first, AT_FDCWD, second, 2) == 0
            || (errno == EINVAL || errno == ENOSYS) && Self.exchangeInSteps(first, second)
    }

    /// Exchanges two files or two folders in several steps. If the first item cannot be moved, the second item stays in
    /// place.
    static func exchangeInSteps(_ first: String, _ second: String) -> Bool {
        let old = "\(first).old"
        if isFolder(second) {
            // Between the next two calls, the folder does not exist.
            guard rename(second, old) == 0 else { return false }
            if rename(first, second) == 0 { return rename(old, first) == 0 }
            let reason = errno
            rename(old, second)
            errno = reason
            return false
        }
        // Renaming replaces a file atomically. The copy is needed to move the old file to the first path.
        guard (try? BuildCommand.copy(second, to: old)) != nil, rename(first, second) == 0 else { return false }
        return rename(old, first) == 0
    }
}
