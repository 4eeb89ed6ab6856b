import Glibc
import ViperKit

/// The database behind the provider. An actor, so that one task at a time uses the connection, on a thread of its own, which waits for the
/// disk and for other processes.
actor SQLiteStore {
    nonisolated private let executor = QueueExecutor("sqlite")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let file: String
    private let patience: Int32
    private var opened: SQLiteConnection?

    init(file: String, patience: Int32) { (self.file, self.patience) = (file, patience) }

    /// The records of a collection as JSON, in order.
    func records(in collection: String) throws(ViperError) -> [[UInt8]] {
        try reading { database throws(SQLiteConnection.Failure) in
            try database.run(
                "SELECT json FROM record WHERE collection = ? ORDER BY position", [Array(collection.utf8)])
        }
    }

    /// One record as JSON.
    func record(_ id: String, in collection: String) throws(ViperError) -> [UInt8]? {
        try reading { database throws(SQLiteConnection.Failure) in
            try database.run(
                "SELECT json FROM record WHERE collection = ? AND id = ?", [Array(collection.utf8), Array(id.utf8)]
            ).first
        }
    }

    /// Makes changes in one transaction.
    func apply(_ changes: [EncodedChange]) throws(ViperError) {
        let database = try connection()
        do {
            // Immediate: a transaction that reads first and writes later can fail halfway when another process is faster.
            try database.run("BEGIN IMMEDIATE")
        } catch {
            throw failure("cannot write", error)
        }
        do throws(ViperError) {
            for change in changes { try make(change, in: database) }
            do { try database.run("COMMIT") } catch { throw failure("cannot write", error) }
        } catch {
            // After some errors, such as a full disk, SQLite has rolled back by itself; then this one fails.
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }

    private func make(_ change: EncodedChange, in database: SQLiteConnection) throws(ViperError) {
        let key = [Array(change.collection.utf8), Array(change.id.utf8)]
        guard [.insert, .replace, .delete].contains(change.kind) else { throw change.unknownKind }
        do {
            switch change.kind {
            case .insert:
                try database.run("INSERT INTO record (collection, id, json) VALUES (?, ?, ?)", key + [change.json])
            case .replace:
                try database.run("UPDATE record SET json = ? WHERE collection = ? AND id = ?", [change.json] + key)
            default: try database.run("DELETE FROM record WHERE collection = ? AND id = ?", key)
            }
        } catch  where error.isConstraint {
            throw ViperError(
                .recordExists, change.what, change.id,
                cause: "the collection \"\(change.collection)\" has a record with this id",
                mend: "replace that one, or give this one another id")
        } catch {
            throw failure("cannot write", error)
        }
        if database.changes == 0 {
            throw ViperError(
                .recordMissing, change.what, change.id,
                cause: "the collection \"\(change.collection)\" has no record with this id")
        }
    }

    private func reading<Value>(
        _ body: (SQLiteConnection) throws(SQLiteConnection.Failure) -> Value
    ) throws(ViperError) -> Value {
        let database = try connection()
        do { return try body(database) } catch { throw failure("cannot read", error) }
    }

    /// The connection, opened at the first need, and again when that has failed.
    private func connection() throws(ViperError) -> SQLiteConnection {
        if let opened { return opened }
        // SQLite would let others read what it makes; its further files get the mode of this one.
        close(open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        do {
            let database = try SQLiteConnection(file: file)
            database.setBusyTimeout(patience)
            try database.run("PRAGMA journal_mode = WAL")
            // In WAL mode anything less may forget acknowledged transactions when the power fails.
            try database.run("PRAGMA synchronous = FULL")
            // A new position is greater than all others, so it is the end of any collection.
            try database.run(
                """
                CREATE TABLE IF NOT EXISTS record (
                    position INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL,
                    UNIQUE (collection, id))
                """)
            try database.run("CREATE INDEX IF NOT EXISTS record_order ON record (collection, position)")
            opened = database
            return database
        } catch {
            throw failure("cannot open", error)
        }
    }

    private func failure(_ what: String, _ failure: SQLiteConnection.Failure) -> ViperError {
        var error = ViperError(
            .storeFailed, what, file, cause: failure.message, notes: [.init("SQLite's code", "\(failure.code)")])
        if let reason = failure.systemReason { error.notes.append(.init("the system says", reason)) }
        if failure.isBusy { error.mend = "try again when the other process that writes it is done" }
        if failure.isOfDisk { error.mend = "see whether its disk is full or failing" }
        if failure.isDamage {
            error.mend = "recover what is left with sqlite3's .recover, or move it away to begin anew"
        }
        return error
    }
}
