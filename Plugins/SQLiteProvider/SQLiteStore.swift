import Glibc
import ViperKit

/// A data provider's database.
///
/// The actor serializes access to the connection. It runs on a private queue, because calls wait for the disk and for
/// other processes.
actor SQLiteStore {
    nonisolated private let executor = QueueExecutor("sqlite")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let file: String
    private let timeout: Int32
    private var opened: SQLiteConnection?
    /// The latest data version of the database that has been reported to observers. Nil until the first read or check.
    private var knownVersion: [UInt8]?

    init(file: String, timeout: Int32) { (self.file, self.timeout) = (file, timeout) }

    func open() throws(ViperError) { _ = try connection() }

    /// Returns all records of a collection as JSON, in order.
    func records(in collection: String) throws(ViperError) -> [[UInt8]] {
        try reading { database throws(SQLiteConnection.Failure) in
            try database.run(
                "SELECT json FROM record WHERE collection = ? ORDER BY position", [Array(collection.utf8)])
        }
    }

    /// Returns the JSON of the record with this ID, or nil if there is none.
    func record(_ id: String, in collection: String) throws(ViperError) -> [UInt8]? {
        try reading { database throws(SQLiteConnection.Failure) in
            try database.run(
                "SELECT json FROM record WHERE collection = ? AND id = ?", [Array(collection.utf8), Array(id.utf8)]
            ).first
        }
    }

    /// The result of a query.
    enum Selection: Sendable {
        /// The query succeeded and selected these records, encoded as JSON, in order.
        case records([[UInt8]])
        /// The collection does not contain the record that should precede the first result.
        case missingStart
        /// SQLite cannot evaluate the query. For example, some SQLite versions truncate JSON text at a NUL character in
        /// a string. SQLite may also reject a record's JSON.
        case uncomparable
    }

    /// Runs a query in one transaction.
    func select(_ select: RecordSelect) throws(ViperError) -> Selection {
        try reading { database throws(SQLiteConnection.Failure) in
            try database.run("BEGIN")
            // The transaction makes no changes, so rolling it back has no effect on the data.
            defer { _ = try? database.run("ROLLBACK") }
            if select.comparesValues {
                let found = try database.run(
                    "SELECT 1 FROM record WHERE collection = ? AND instr(json, ?) LIMIT 1",
                    [select.collection, Array("\\u0000".utf8)])
                if !found.isEmpty { return .uncomparable }
            }
            guard let records = try database.runOnce(select.sql, select.values) else { return .uncomparable }
            if records.isEmpty, let id = select.after {
                let found = try database.run(
                    "SELECT 1 FROM record WHERE collection = ? AND id = ?", [select.collection, id])
                if found.isEmpty { return .missingStart }
            }
            return .records(records)
        }
    }

    /// Applies all changes in one transaction. If a change fails, applies none of them.
    func apply(_ changes: [EncodedChange]) throws(ViperError) {
        let database = try connection()
        do {
            // Acquire the write lock immediately. Acquiring it after a read can fail if another process is writing.
            try database.run("BEGIN IMMEDIATE")
        } catch {
            throw failure("cannot write database", error)
        }
        do throws(ViperError) {
            for change in changes { try make(change, in: database) }
            do { try database.run("COMMIT") } catch { throw failure("cannot write database", error) }
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled back. ROLLBACK then fails.
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }

    private func make(_ change: EncodedChange, in database: SQLiteConnection) throws(ViperError) {
        let key = [Array(change.collection.utf8), Array(change.id.utf8)]
        guard [.insert, .replace, .delete].contains(change.kind) else { throw change.unknownKindError }
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
                .recordExists, operation: change.operation, subject: change.id,
                cause: "the collection \"\(change.collection)\" already has a record with this id",
                fix: "replace that record, or use another id")
        } catch {
            throw failure("cannot write database", error)
        }
        if database.changes == 0 {
            throw ViperError(
                .recordMissing, operation: change.operation, subject: change.id,
                cause: "the collection \"\(change.collection)\" has no record with this id")
        }
    }

    /// Returns true if another connection has changed the database since observers were last up to date. If the current
    /// version cannot be read, returns false. The next call then detects the change.
    func otherConnectionHasChanged() -> Bool {
        guard let database = try? connection(), let version = try? Self.version(of: database) else { return false }
        defer { knownVersion = version }
        return knownVersion != nil && knownVersion != version
    }

    /// Returns the database's data version, which changes when another connection commits.
    private static func version(of database: SQLiteConnection) throws(SQLiteConnection.Failure) -> [UInt8] {
        try database.run("PRAGMA data_version").first ?? []
    }

    private func reading<Value>(
        _ body: (SQLiteConnection) throws(SQLiteConnection.Failure) -> Value
    ) throws(ViperError) -> Value {
        let database = try connection()
        do {
            // Get the version before reading, so that a change during or after the read is detected.
            if knownVersion == nil { knownVersion = try Self.version(of: database) }
            return try body(database)
        } catch { throw failure("cannot read database", error) }
    }

    /// Returns the connection. Opens the database at the first call, and again if an earlier attempt failed.
    private func connection() throws(ViperError) -> SQLiteConnection {
        if let opened { return opened }
        // Create the file with mode 600, because SQLite would create a file that other users can read. SQLite gives its
        // additional files the same permissions.
        close(Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        do {
            let database = try SQLiteConnection(file: file)
            database.setBusyTimeout(timeout)
            try database.run("PRAGMA journal_mode = WAL")
            // In WAL mode, weaker settings can lose committed transactions in a power failure.
            try database.run("PRAGMA synchronous = FULL")
            // SQLite assigns a position above all existing positions, so new records are last in their collection.
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
            throw failure("cannot open database", error)
        }
    }

    private func failure(_ what: String, _ failure: SQLiteConnection.Failure) -> ViperError {
        var error = ViperError(
            .storeFailed, operation: what, subject: file, cause: failure.message,
            notes: [.init("SQLite's code", "\(failure.code)")])
        if let reason = failure.systemReason { error.notes.append(.init("the system says", reason)) }
        if failure.isBusy { error.fix = "retry when the other process has finished writing" }
        if failure.isOfDisk { error.fix = "check whether the disk is full or failing" }
        if failure.isDamage {
            error.fix =
                "recover the data with sqlite3's .recover, or move the file away to start with an empty database"
        }
        return error
    }
}
