import CSystem
import Glibc

/// A lease from the kernel. It guarantees that no process has the file open for writing; see F_SETLEASE in fcntl(2).
///
/// A process that opens the file for writing waits until the lease is released. With `O_NONBLOCK`, its open fails with
/// EAGAIN. Therefore, hold a lease only during one read.
struct ReadLease: ~Copyable {
    /// Local file systems, by their magic numbers in statfs(2). On a remote file system, the kernel does not notice
    /// writers on other machines. overlayfs is excluded: it misses a writer that maps the file and closes the
    /// descriptor.
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

    /// Takes a lease on a file that is open for reading only. Keep the descriptor open as long as the lease exists.
    ///
    /// - Returns: Nil if the kernel grants no lease: the file belongs to another user, or its file system is remote or
    ///   unknown.
    /// - Throws: ``RegularFile/Failure/beingWritten``.
    init?(on descriptor: Int32) throws(RegularFile.Failure) {
        guard Self.localFileSystems.contains(file_system_of(descriptor)) else { return nil }
        // The kernel sends the lease holder a signal when a writer opens the file. The default, SIGIO, would terminate
        // the process. SIGURG is ignored by default.
        guard fcntl(descriptor, Self.setSignal, SIGURG) == 0,
            fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) == 0
        else {
            if errno == EAGAIN { throw .beingWritten }
            return nil
        }
        self.descriptor = descriptor
    }

    /// True if no process has tried to open the file for writing since the lease was taken.
    var isWhole: Bool { fcntl(descriptor, Self.getLease) == F_RDLCK }

    deinit { _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK)) }
}
