import Glibc
import Synchronization

/// Lets one thread at a time into a body of work, and that thread again from inside it.
final class RecursiveMutex: Sendable {
    private let mutex = Mutex<Void>(())
    // The thread inside, 0 for none: glibc's thread handles are addresses.
    private let owner = Atomic<UInt>(0)

    /// Whether the calling thread is inside.
    var isHeldByThisThread: Bool {
        // Relaxed is enough: only this thread itself can have stored its own handle.
        owner.load(ordering: .relaxed) == pthread_self()
    }

    func withLock<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        if isHeldByThisThread { return try body() }
        return try mutex.withLock { _ throws(Failure) in
            owner.store(pthread_self(), ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            return try body()
        }
    }
}
