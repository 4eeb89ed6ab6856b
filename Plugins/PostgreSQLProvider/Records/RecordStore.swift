import ViperKit

/// The records of a provider, as JSON.
struct RecordStore: Sendable {
    private let database: Database
    private let pool: SessionPool

    init(_ database: Database, pool size: Int) {
        (self.database, pool) = (database, SessionPool(database, size: size))
    }

    func open(within limit: Duration) async throws(ViperError) {
        try await pool.withSession { session throws(ViperError) in try await session.open(until: .now + limit) }
    }

    /// Returns all records of a collection, in order.
    func records(in collection: String) async throws(ViperError) -> [[UInt8]] {
        try await read([
            Statement(
                "SELECT json FROM viper_record WHERE collection = $1::text ORDER BY position", [Array(collection.utf8)])
        ])[0]
    }

    /// Returns the record with this ID, or nil if there is none.
    func record(_ id: String, in collection: String) async throws(ViperError) -> [UInt8]? {
        try await read([
            Statement(
                "SELECT json FROM viper_record WHERE collection = $1::text AND sha256(id) = sha256($2::bytea)",
                [Array(collection.utf8), Array(id.utf8)])
        ])[0].first
    }

    /// The result of a query.
    enum Selection: Sendable {
        /// The query succeeded and selected these records, in order.
        case records([[UInt8]])
        /// The collection does not contain the record that should precede the first result.
        case missingStart
        /// PostgreSQL cannot evaluate the query, because of a NUL character or a number out of its range.
        case uncomparable
    }

    /// Runs a query in one transaction.
    func select(_ select: RecordSelect) async throws(ViperError) -> Selection {
        let statements = [
            Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            Statement(
                "SELECT '' FROM viper_record WHERE collection = $1::text AND value IS NULL LIMIT 1", [select.collection]
            ),
            Statement(
                "SELECT '' FROM viper_record WHERE collection = $1::text AND sha256(id) = sha256($2::bytea)",
                [select.collection, select.after ?? []]),
            select.statement,
            Statement("COMMIT"),
        ]
        let rows: [[[UInt8]]]
        do { rows = try await reading(statements) } catch {
            if error.isOfValue { return .uncomparable }
            throw database.failure("read", error)
        }
        if select.comparesValues, !rows[1].isEmpty { return .uncomparable }
        if select.after != nil, rows[2].isEmpty { return .missingStart }
        return .records(rows[3])
    }

    func apply(_ changes: [EncodedChange]) async throws(ViperError) {
        try await pool.withSession { session throws(ViperError) in try await session.apply(changes) }
    }

    private func read(_ statements: [Statement]) async throws(ViperError) -> [[[UInt8]]] {
        do { return try await reading(statements) } catch { throw database.failure("read", error) }
    }

    private func reading(_ statements: [Statement]) async throws(PostgreSQLFailure) -> [[[UInt8]]] {
        try await pool.withSession { session throws(PostgreSQLFailure) in try await session.read(statements) }
    }
}
