import Dispatch
import Glibc

/// The process that has started this one.
enum Parent {
    private static let queue = DispatchQueue(label: "parent")

    /// Ends this process within half a second after its parent has ended, whatever else goes on in it.
    ///
    /// By looking, from a thread that does nothing else: a module may have closed every descriptor over which it could be told.
    static func endWithIt() {
        let parent = getppid()
        queue.async {
            while getppid() == parent { usleep(500_000) }
            _exit(EXIT_FAILURE)
        }
    }
}
