import Glibc

/// Returns the wait status of a child that has ended, and gives its number back to the system.
///
/// If a module of this process has taken the status before, it is that of exit code 255: the child may have failed.
package func takeStatus(ofEnded process: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
        if errno != EINTR { return 255 << 8 }
    }
    return status
}
