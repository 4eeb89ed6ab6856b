import CSystem
import Glibc
import ViperKit
import ViperRuntime

/// Puts a file or a folder that is ready in the place of another, in one step. Both are on the same file system.
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
        // RENAME_EXCHANGE, whose C macro is hidden with the function.
        if renameat2(AT_FDCWD, first, AT_FDCWD, second, 2) == 0 { return true }
        // Some file systems cannot. Then there is a moment without the target.
        guard errno == EINVAL || errno == ENOSYS else { return false }
        return rename(second, "\(first).old") == 0 && rename(first, second) == 0
            && rename("\(first).old", first) == 0
    }
}
