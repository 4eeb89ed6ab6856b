import Foundation
import Glibc
import Synchronization

/// Copies a file. When this function returns, no process has the copy open for writing anymore.
public func copyFile(_ source: String, to target: String) throws {
    try ChildProcess.spawning.withLock { _ in try FileManager.default.copyItem(atPath: source, toPath: target) }
    try waitForWriters(of: target)
}

/// Waits until no process has a file open for writing.
///
/// A child process that another test starts holds copies of this process's descriptors until it executes its program.
/// Such a copy can keep a file open for writing, and the host refuses a library that is open for writing.
///
/// - Throws: ``ChildFailure`` if a process still has the file open when the time limit is reached.
public func waitForWriters(of path: String) throws {
    // The value of F_SETLEASE, a command of fcntl(2), which Swift does not import. The kernel grants a read lease only
    // if no process has the file open for writing.
    let setLease: Int32 = 1024
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ChildFailure("cannot open \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let end = ContinuousClock.now + Patience.limit
    while fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 {
        // Any other error means that the file system does not support leases.
        guard errno == EAGAIN else { return }
        if ContinuousClock.now > end { throw ChildFailure("\(path) stayed open for writing too long") }
        usleep(1000)
    }
    _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
}
