import CSQLite
import Glibc

/// A connection to an SQLite database. Only this type uses SQLite's pointers.
///
/// A connection must not be used concurrently. The actor that owns the connection ensures this.
final class SQLiteConnection {
    /// An error reported by SQLite.
    struct Failure: Error {
        var code: Int32
        var message: String
        /// The operating system's error message. Nil if SQLite does not provide the system's error number.
        var systemReason: String?

        var isConstraint: Bool { kind == SQLITE_CONSTRAINT }
        var isBusy: Bool { kind == SQLITE_BUSY }
        var isOfDisk: Bool { kind == SQLITE_FULL || kind == SQLITE_IOERR }
        /// True if the statement or one of its values caused the error, rather than the database.
        var isOfQuery: Bool { [SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE].contains(kind) }
        var isDamage: Bool { kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB }

        /// The primary result code. The upper bits of `code` contain details.
        private var kind: Int32 { code & 0xFF }
    }

    // The SQLite handle. It is opened in `init`, closed in `deinit`, and never passed to other types.
    private let database: OpaquePointer
    // The prepared statements, keyed by their SQL text. They are finalized before the database is closed.
    private var statements: [String: OpaquePointer] = [:]

    /// Creates a connection to a database file. If the file does not exist, creates the file.
    init(file: String) throws(Failure) {
        var database: OpaquePointer?
        // The actor runs one call at a time, so SQLite needs no mutex.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(file, &database, flags, nil)
        guard code == SQLITE_OK, let database else {
            let failure = Self.failure(code, database)
            // A handle must be closed even if opening the database failed. Closing nil has no effect.
            sqlite3_close_v2(database)
            throw failure
        }
        self.database = database
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(database)) }

    /// Sets the maximum time that a statement waits for other connections, in milliseconds.
    func setBusyTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(database, milliseconds) }

    /// Runs a statement and returns the first column of each row. The prepared statement is kept for later calls.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - texts: The values for the placeholders, in UTF-8.
    @discardableResult
    func run(_ sql: String, _ texts: [[UInt8]] = []) throws(Failure) -> [[UInt8]] {
        let statement = try keptStatement(sql)
        // Without a reset, the statement would keep its lock on the database.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        return try rows(of: statement, texts.map { .text($0) })
    }

    /// Runs a statement and returns the first column of each row. The prepared statement is not kept for later calls.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values for the placeholders.
    /// - Returns: The first column of each row. Nil if the statement is valid, but fails for a stored value.
    func runOnce(_ sql: String, _ values: [SQLiteValue]) throws(Failure) -> [[UInt8]]? {
        let statement = try prepared(sql)
        defer { sqlite3_finalize(statement) }
        do { return try rows(of: statement, values) } catch {
            if error.isOfQuery { return nil }
            throw error
        }
    }

    private func rows(of statement: OpaquePointer, _ values: [SQLiteValue]) throws(Failure) -> [[UInt8]] {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .text(let text):
                    // SQLite copies the bytes during the call.
                    text.withUnsafeBytes {
                        csqlite_bind_text(statement, place, $0.baseAddress, UInt64($0.count))
                    }
                case .integer(let number): sqlite3_bind_int64(statement, place, number)
                case .real(let number): sqlite3_bind_double(statement, place, number)
                }
            guard code == SQLITE_OK else { throw Self.failure(code, database) }
        }
        var rows: [[UInt8]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw Self.failure(code, database) }
            // Copy the bytes, because they are valid only until the next step. If the address is NULL, there are no
            // bytes.
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, 0), count: Int(sqlite3_column_bytes(statement, 0)))
            rows.append(Array(bytes))
        }
    }

    private func keptStatement(_ sql: String) throws(Failure) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        let statement = try prepared(sql)
        statements[sql] = statement
        return statement
    }

    private func prepared(_ sql: String) throws(Failure) -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        // If there is no error, the statement is nil only if the text contains no statement.
        guard code == SQLITE_OK, let statement else { throw Self.failure(code, database) }
        return statement
    }

    private static func failure(_ code: Int32, _ database: OpaquePointer?) -> Failure {
        // Copy the message, because SQLite owns it. For a nil database, the message is "out of memory".
        var failure = Failure(code: code, message: String(cString: sqlite3_errmsg(database)))
        // Only these errors set the system's error number. For other errors, the number may come from an earlier error.
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF), let database {
            let number = sqlite3_system_errno(database)
            if number != 0 { failure.systemReason = String(cString: strerror(number)) }
        }
        return failure
    }
}
