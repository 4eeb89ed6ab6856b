import CSystem
import Glibc
import ViperKit
import ViperRuntime

/// Puts a file or a folder that is ready in the place of another: in one step, but for a folder where the file system cannot exchange
/// two. Both are on the same file system.
struct Replacement {
    let staged: String
    let target: String
    private let isThere: Bool
    /// Whether a folder would be lost for a file, or a file for a folder.
    private let isOtherKind: Bool

    init(of target: String, by staged: String) {
        (self.target, self.staged) = (target, staged)
        var status = stat()
        isThere = lstat(target, &status) == 0
        isOtherKind = isThere && isFolder(target) != isFolder(staged)
    }

    /// What was at the target is then in the staged one's place.
    func make() throws(ViperError) {
        if isOtherKind {
            throw ViperError(
                .fileExists, "cannot replace", target, cause: "it is \(isFolder(target) ? "a folder" : "no folder")",
                mend: "move it away")
        }
        if isThere ? exchange(staged, target) : rename(staged, target) == 0 { return }
        throw ViperError(
            .outputFailed, "cannot replace", target, cause: String(cString: strerror(errno)),
            mend: "allow writing there, or give another --root DIR")
    }

    /// Puts back what was there.
    func undo() {
        _ = isThere ? exchange(staged, target) : rename(target, staged) == 0
    }

    private func exchange(_ first: String, _ second: String) -> Bool {
        // RENAME_EXCHANGE, whose C macro is hidden with the function. Some file systems cannot.
        renameat2(AT_FDCWD, first, AT_FDCWD, second, 2) == 0
            || (errno == EINVAL || errno == ENOSYS) && Self.exchangeInSteps(first, second)
    }

    /// Exchanges two files or two folders where no single step can, or leaves the second where it was.
    static func exchangeInSteps(_ first: String, _ second: String) -> Bool {
        let old = "\(first).old"
        if isFolder(second) {
            // There is a moment without it.
            guard rename(second, old) == 0 else { return false }
            if rename(first, second) == 0 { return rename(old, first) == 0 }
            let reason = errno
            rename(old, second)
            errno = reason
            return false
        }
        // A file is replaced in one step all the same. What undoes that is a copy.
        guard (try? BuildCommand.copy(second, to: old)) != nil, rename(first, second) == 0 else { return false }
        return rename(old, first) == 0
    }
}
