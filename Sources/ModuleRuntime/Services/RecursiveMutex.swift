import Glibc
import Synchronization

/// A lock that the thread holding it can acquire again.
final class RecursiveMutex: Sendable {
    private let mutex = Mutex<Void>(())
    // The thread that holds the lock, or 0. A thread handle of glibc is an address, so it is never 0.
    private let owner = Atomic<UInt>(0)

    var isHeldByThisThread: Bool {
        // Relaxed order suffices, because only the calling thread can have stored its own handle.
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
