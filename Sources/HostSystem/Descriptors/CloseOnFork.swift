import CSystem

/// The set of descriptors that every forked child of this process closes.
///
/// A module may fork a child that outlives the host. Without this set, the child would keep the host's sockets and
/// locks open. `posix_spawn` does not run fork handlers, but spawned programs do not inherit close-on-exec descriptors.
package enum CloseOnFork {
    // `pthread_atfork` fails only if memory is exhausted. In that case, forked children keep the descriptors open.
    private static let isInstalled = begin_closing_on_fork() == 0

    // Neither function may be inlined. The C functions use static variables, and an object file with inlined copies of
    // the functions would have its own copies of these variables.
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
