import CSystem
import Glibc

/// The kernel's word that no process has a file open for writing; see fcntl(2), F_SETLEASE.
///
/// A process that opens the file for writing waits until the lease is released. With `O_NONBLOCK` its open fails with EAGAIN. So a
/// lease is held for the time of one read only.
struct ReadLease: ~Copyable {
    /// Local file systems, by the magic numbers in statfs(2). On others another machine may write unseen. overlayfs is none of them: it does
    /// not count a writer that maps the file and has closed it.
    private static let localFileSystems: Set<UInt32> = [
        0xEF53,  // ext2, ext3, ext4
        0x5846_5342,  // XFS
        0x9123_683E,  // Btrfs
        0xF2F5_2010,  // F2FS
        0x2FC1_2FC1,  // ZFS
        0xCA45_1A4E,  // bcachefs
        0x0102_1994,  // tmpfs
        0x8584_58F6,  // ramfs
    ]

    // F_SETSIG, F_SETLEASE and F_GETLEASE, which Swift does not import.
    private static let (setSignal, setLease, getLease): (Int32, Int32, Int32) = (10, 1024, 1025)

    private let descriptor: Int32

    /// Takes a lease on a file that is open for reading only. The descriptor has to stay open as long as the lease.
    ///
    /// - Returns: Nil if the kernel cannot tell: the file belongs to another user, or its file system is remote or unknown.
    /// - Throws: ``RegularFile/Failure/beingWritten``.
    init?(on descriptor: Int32) throws(RegularFile.Failure) {
        guard Self.localFileSystems.contains(file_system_of(descriptor)) else { return nil }
        // The kernel tells the holder of a writer by a signal. SIGIO, which it would send, ends a process; SIGURG is ignored by default.
        guard fcntl(descriptor, Self.setSignal, SIGURG) == 0,
            fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) == 0
        else {
            if errno == EAGAIN { throw .beingWritten }
            return nil
        }
        self.descriptor = descriptor
    }

    /// True if no process has tried to open the file for writing since then.
    var isWhole: Bool { fcntl(descriptor, Self.getLease) == F_RDLCK }

    deinit { _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK)) }
}
