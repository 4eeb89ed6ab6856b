import CSystem
import Glibc

/// A kernel lease that guarantees that no process has a file open for writing; see F_SETLEASE in fcntl(2).
///
/// If a process opens the file for writing, its `open` call blocks until the lease is released. With `O_NONBLOCK`, the
/// call fails with EAGAIN. Therefore, hold a lease only while reading the file once.
struct ReadLease: ~Copyable {
    /// The local file systems, by their magic numbers in statfs(2). On a remote file system, the kernel does not detect
    /// writers on other machines. The list excludes overlayfs, which does not detect a writer that maps the file and
    /// closes the descriptor.
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

    // The values of F_SETSIG, F_SETLEASE and F_GETLEASE, which Swift does not import.
    private static let (setSignal, setLease, getLease): (Int32, Int32, Int32) = (10, 1024, 1025)

    private let descriptor: Int32

    /// Returns true if a file or folder is on a local file system, or on overlayfs.
    static func isLocal(_ descriptor: Int32) -> Bool {
        let system = file_system_of(descriptor)
        return localFileSystems.contains(system) || system == 0x794C_7630
    }

    /// Creates a lease on a file that is open only for reading. The descriptor must stay open while the lease exists.
    ///
    /// - Returns: Nil if the kernel does not grant a lease, because the file belongs to another user, or its file
    ///   system is remote or unknown.
    /// - Throws: ``RegularFile/Failure/beingWritten`` if a process has the file open for writing.
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
