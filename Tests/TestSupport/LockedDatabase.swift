import Foundation
import Glibc
import Synchronization

/// A SQLite database whose write lock another process holds, until it is released.
public final class LockedDatabase: Sendable {
    private let process = Process()
    private let input = Pipe()

    private static let program = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        sys.stdin.read()
        """

    /// Returns when the lock is held.
    ///
    /// - Throws: ``ChildFailure`` when it cannot be had.
    public init(file: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, file]
        (process.standardInput, process.standardOutput) = (input, output)
        try ChildProcess.spawning.withLock { _ in try process.run() }
        if output.fileHandleForReading.availableData.isEmpty { throw ChildFailure("\(file) cannot be locked") }
    }

    deinit { release() }

    /// Ends the process, and with it its lock. Does nothing when that was done before.
    public func release() {
        // Its input may not end here: a child that was started meanwhile can have a copy of the pipe.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
