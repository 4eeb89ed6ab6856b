import CSQLite
import Glibc

/// SQLite's C interface as far as this module needs it: the only file with its pointers.
///
/// A connection is for one task at a time; the actor that owns it sees to that.
final class SQLiteConnection {
    /// What SQLite says of an error, in its own words.
    struct Failure: Error {
        var code: Int32
        var message: String
        /// The system's reason, where SQLite keeps it.
        var systemReason: String?

        var isConstraint: Bool { kind == SQLITE_CONSTRAINT }
        var isBusy: Bool { kind == SQLITE_BUSY }
        var isOfDisk: Bool { kind == SQLITE_FULL || kind == SQLITE_IOERR }
        var isDamage: Bool { kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB }

        /// The upper bits tell it more exactly.
        private var kind: Int32 { code & 0xFF }
    }

    // Opaque to SQLite's callers. Made in init, closed in deinit, and handed to nobody.
    private let database: OpaquePointer
    // Compiled once each. All are finalised before the database is closed.
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a database file, and makes it when there is none.
    init(file: String) throws(Failure) {
        var database: OpaquePointer?
        // The actor lets one call in at a time, so SQLite needs no lock of its own.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(file, &database, flags, nil)
        guard code == SQLITE_OK, let database else {
            let failure = Self.failure(code, database)
            // A database that could not be opened has to be closed too; for nil this does nothing.
            sqlite3_close_v2(database)
            throw failure
        }
        self.database = database
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// How many rows the last statement has changed.
    var changes: Int { Int(sqlite3_changes64(database)) }

    /// How long a statement waits for another process, in milliseconds.
    func setBusyTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(database, milliseconds) }

    /// Runs one statement with these texts in UTF-8 for its question marks, and returns the first column of each row.
    @discardableResult
    func run(_ sql: String, _ texts: [[UInt8]] = []) throws(Failure) -> [[UInt8]] {
        let statement = try statement(sql)
        // A statement that was not reset would keep its lock on the database.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, text) in texts.enumerated() {
            // The buffer is read only within the call: SQLite copies it.
            let code = text.withUnsafeBytes { text in
                csqlite_bind_text(statement, Int32(index + 1), text.baseAddress, UInt64(text.count))
            }
            guard code == SQLITE_OK else { throw Self.failure(code, database) }
        }
        var rows: [[UInt8]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw Self.failure(code, database) }
            // The bytes stay valid until the next step; they are copied before. No address: no bytes.
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, 0), count: Int(sqlite3_column_bytes(statement, 0)))
            rows.append(Array(bytes))
        }
    }

    private func statement(_ sql: String) throws(Failure) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        // Without an error it is nil only for a text without a statement.
        guard code == SQLITE_OK, let statement else { throw Self.failure(code, database) }
        statements[sql] = statement
        return statement
    }

    private static func failure(_ code: Int32, _ database: OpaquePointer?) -> Failure {
        // SQLite owns the text; it is copied at once. For a nil database it answers "out of memory".
        var failure = Failure(code: code, message: String(cString: sqlite3_errmsg(database)))
        // Other kinds of error leave the number of an earlier one.
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF), let database {
            let number = sqlite3_system_errno(database)
            if number != 0 { failure.systemReason = String(cString: strerror(number)) }
        }
        return failure
    }
}
