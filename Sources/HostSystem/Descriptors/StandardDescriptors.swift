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

    /// Returns a descriptor for the same open file that is not a standard descriptor. Closes the given one if it is.
    ///
    /// ``claim()`` alone is not enough: while it runs, another thread's short-lived file may have a standard number,
    /// which is free again afterwards.
    ///
    /// - Returns: -1 if the process has no free descriptor, with the reason in `errno`.
    package static func avoid(_ descriptor: Int32) -> Int32 {
        guard (STDIN_FILENO...STDERR_FILENO).contains(descriptor) else { return descriptor }
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let number = errno
        close(descriptor)
        errno = number
        return other
    }
}
