import FoundationEssentials
import Glibc
import HostSystem
import Synchronization
import ViperKit

/// The lock of a root as it is now. It is read again only after the file has changed.
final class CurrentLock: Sendable {
    private struct Reading {
        /// Nil if the file is missing.
        var identity: FileIdentity?
        var lock: Result<ModuleLock?, ViperError>
    }

    private let root: Root
    private let last = Mutex<Reading?>(nil)

    init(of root: Root) { self.root = root }

    /// The identity of the lock's file. Nil if the root has no lock.
    var identity: FileIdentity? { FileIdentity(of: "\(root.path)/\(ModuleLock.file)") }

    /// Checks that the lock allows the library of a module. Does nothing if the root has no lock.
    ///
    /// - Throws: ``ViperError/Code/libraryUnlocked``, or the error of a lock that cannot be read.
    func check(_ content: some ContiguousBytes, of manifest: Manifest) throws(ViperError) {
        guard let lock = try current() else { return }
        try lock.check(Digest(of: content), of: manifest)
    }

    private func current() throws(ViperError) -> ModuleLock? {
        // Most roots have no lock. Asking for it by its path saves opening the folders.
        var status = stat()
        if lstat("\(root.path)/\(ModuleLock.file)", &status) != 0, errno == ENOENT { return nil }
        let identity = self.identity
        let known = last.withLock { reading in reading.flatMap { $0.identity == identity ? $0.lock : nil } }
        if let known { return try known.get() }
        let lock = Result { () throws(ViperError) in try ModuleLock(of: root) }
        last.withLock { $0 = Reading(identity: identity, lock: lock) }
        return try lock.get()
    }
}
