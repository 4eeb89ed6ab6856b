import Glibc

/// Standard input, output and error of this process.
package enum StandardDescriptors {
    /// Opens `/dev/null` at the numbers 0 to 2 where they are closed, so that no other file gets their number, and what is meant for them.
    /// Writing there fails.
    ///
    /// Whoever started the host may have closed them; so may a module at any time. The host asks for this before it opens what lives long.
    package static func claim() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open takes the lowest free number. Another thread may have taken it first.
            let opened = open("/dev/null", O_RDONLY)
            if opened > STDERR_FILENO { close(opened) }
        }
    }
}
