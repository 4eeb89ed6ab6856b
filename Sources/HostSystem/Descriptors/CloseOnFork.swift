import CSystem

/// The set of descriptors that every forked child of this process closes.
///
/// A module may fork and keep the child running. Without this set, the child would keep the host's sockets and locks
/// after the host exits. `posix_spawn` runs no fork handlers; there, close-on-exec has the same effect.
package enum CloseOnFork {
    // pthread_atfork fails only if memory is exhausted. Forked children then keep the descriptors.
    private static let isInstalled = begin_closing_on_fork() == 0

    // Both functions must not be inlined: the C functions use static variables, and another object file would get its
    // own copy of them.
    @inline(never)
    package static func insert(_ descriptor: Int32) {
        _ = isInstalled
        set_closed_on_fork(descriptor, 1)
    }

    /// Removes a descriptor from the set. Call this before closing the descriptor, because another file may reuse its
    /// number immediately.
    @inline(never)
    package static func remove(_ descriptor: Int32) { set_closed_on_fork(descriptor, 0) }
}
