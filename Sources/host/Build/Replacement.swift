import CSystem
import Glibc
import HostSystem
import ViperKit

/// A staged file that replaces a target on the same file system by one rename.
struct Replacement {
    let staged: String
    let target: String
    private let isThere: Bool

    init(of target: String, by staged: String) {
        (self.target, self.staged) = (target, staged)
        var status = stat()
        isThere = lstat(target, &status) == 0
    }

    /// Moves the staged file to the target's path. If the target existed, it is at the staged path afterwards.
    func make() throws(ViperError) {
        if isThere, isFolder(target) {
            throw ViperError(
                .fileExists, operation: "cannot replace", subject: target, cause: "it is a folder, expected a file",
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

    /// Exchanges two files in several steps. If the first file cannot be moved, the second file stays in place.
    static func exchangeInSteps(_ first: String, _ second: String) -> Bool {
        let old = "\(first).old"
        // Renaming replaces a file atomically. The copy is needed to move the old file to the first path.
        guard (try? BuildCommand.copy(second, to: old)) != nil, rename(first, second) == 0 else { return false }
        return rename(old, first) == 0
    }
}
