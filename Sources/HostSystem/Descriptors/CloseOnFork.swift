import CSystem

/// The descriptors that are closed in every process that is forked from this one, as those that are close-on-exec are in every program
/// that is started.
///
/// A module may fork and let the child live on. The child would keep the host's sockets open and its locks held after the host has ended.
/// `posix_spawn` does not call what runs at a fork; there close-on-exec does the same.
package enum CloseOnFork {
    // Never fails but for want of memory; then a forked child keeps the descriptors.
    private static let isInstalled = begin_closing_on_fork() == 0

    // Neither is inlined: the C functions have static variables, which another object file would have again.

    /// Marks a descriptor.
    @inline(never)
    package static func insert(_ descriptor: Int32) {
        _ = isInstalled
        set_closed_on_fork(descriptor, 1)
    }

    /// Removes the mark. Has to happen before the descriptor is closed: its number may be another file's at once.
    @inline(never)
    package static func remove(_ descriptor: Int32) { set_closed_on_fork(descriptor, 0) }
}
