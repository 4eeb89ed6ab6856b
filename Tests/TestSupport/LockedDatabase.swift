import HostDriver
import Synchronization

/// A SQLite database that another process has locked for writing.
public final class LockedDatabase: Sendable {
    private let holder: Mutex<Companion?>

    private static let program = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        sys.stdin.read()
        """

    /// Starts the other process, and returns when it holds the lock.
    ///
    /// - Throws: ``ChildFailure`` if the database cannot be locked.
    public init(file: String) async throws {
        let companion = try Companion(await Python.process(["-c", Self.program, file]))
        guard try await companion.line() == "locked" else { throw ChildFailure("\(file) cannot be locked") }
        holder = Mutex(companion)
    }

    /// Releases the lock by ending the other process. Does nothing if the lock is already released.
    public func release() { holder.withLock { $0 = nil } }
}
