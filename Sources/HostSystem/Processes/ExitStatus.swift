import Glibc

/// Reaps a child that has exited, and returns its wait status.
///
/// If a module has already reaped the child, the exit code is unknown. In that case, this function returns the status
/// for exit code 255, because the child may have failed.
package func takeStatus(ofEnded process: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
        if errno != EINTR { return 255 << 8 }
    }
    return status
}
