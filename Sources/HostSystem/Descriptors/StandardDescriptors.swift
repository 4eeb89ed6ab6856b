import Glibc

package enum StandardDescriptors {
    /// Opens `/dev/null` for each standard descriptor that is closed, so that no other file gets its number. Writing to
    /// such a descriptor fails.
    ///
    /// The host's parent process may have closed these descriptors, and a module may close them at any time. Call this
    /// before opening long-lived files.
    package static func claim() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open returns the lowest free number. Another thread may have taken that number already.
            let opened = open("/dev/null", O_RDONLY)
            if opened > STDERR_FILENO { close(opened) }
        }
    }
}
