import Glibc

package enum StandardDescriptors {
    /// Opens `/dev/null` for each closed standard descriptor, so that no other file can get its number. Writing to a
    /// descriptor that was opened in this way fails.
    ///
    /// The host's parent process may have closed these descriptors, and a module may close them at any time. Call this
    /// before opening long-lived files.
    package static func claim() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number. If another thread has taken that number in the meantime, the new
            // descriptor is not needed.
            let opened = open("/dev/null", O_RDONLY)
            if opened > STDERR_FILENO { close(opened) }
        }
    }

    /// Returns a descriptor for the same open file that is not a standard descriptor.
    ///
    /// If the given descriptor is a standard descriptor, duplicates it to a higher number and closes the original.
    /// Otherwise, returns it unchanged.
    ///
    /// Calling ``claim()`` alone is not enough. While it runs, another thread may briefly use a standard descriptor and
    /// then close it.
    ///
    /// - Returns: The descriptor, or -1 if the process has no free descriptor. In that case, `errno` contains the
    ///   error.
    package static func avoid(_ descriptor: Int32) -> Int32 {
        guard (STDIN_FILENO...STDERR_FILENO).contains(descriptor) else { return descriptor }
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let number = errno
        close(descriptor)
        errno = number
        return other
    }
}
