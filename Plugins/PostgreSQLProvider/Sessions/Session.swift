import ViperKit

/// A connection of the pool, which connects again after it was lost.
///
/// The actor serializes access to the connection. It runs on a private queue, because its calls wait for the server.
actor Session {
    nonisolated private let executor = QueueExecutor("postgresql")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let database: Database
    private var connection: PostgreSQLConnection?
    /// The key of the last commit that was acknowledged. The next transaction removes it.
    private var acknowledged: CommitKey?

    init(_ database: Database) { self.database = database }

    /// Connects, unless the session is connected.
    func open(until deadline: ContinuousClock.Instant) throws(ViperError) {
        do { _ = try connected(until: deadline) } catch { throw database.failure("open", error) }
    }

    /// Runs statements that read, and returns the first column of their rows. Repeats them if the connection is lost.
    func read(_ statements: [Statement]) throws(PostgreSQLFailure) -> [[[UInt8]]] {
        let deadline = ContinuousClock.now + database.timeout
        while true {
            let connection = try connected(until: deadline)
            do { return try connection.run(statements) } catch {
                if error.isLoss { disconnect() }
                guard error.isLoss || error.isConflict, .now < deadline else { throw error }
            }
        }
    }

    /// Applies all changes in one transaction. If a change fails, applies none of them.
    ///
    /// Repeats the transaction if the server has rolled it back because of another one, or if the connection is lost and
    /// the server has not committed.
    ///
    /// - Throws: `commit-unknown` if the connection is lost, and the server cannot be asked in time.
    func apply(_ changes: [EncodedChange]) throws(ViperError) {
        let deadline = ContinuousClock.now + database.timeout
        var statements: [Statement] = []
        for change in changes { statements.append(try change.statement) }
        for collection in Set(changes.map(\.collection)).sorted() {
            statements.append(Statement(Self.notification, [Array(collection.utf8)]))
        }
        while true {
            let connection: PostgreSQLConnection
            do { connection = try connected(until: deadline) } catch { throw database.failure("write", error) }
            let key = CommitKey()
            let start = [Statement("BEGIN"), Statement(Self.lock), key.storing(insteadOf: acknowledged)]
            do {
                try connection.run(start + statements + [Statement("COMMIT")])
                acknowledged = key
                return
            } catch {
                if error.isLoss {
                    disconnect()
                    if try isCommitted(key, after: error) {
                        acknowledged = key
                        return
                    }
                } else if !error.isConflict {
                    let number = (error.statement ?? 0) - start.count
                    let refused = changes.indices.contains(number) ? changes[number].failure(error) : nil
                    throw refused ?? database.failure("write", error)
                }
                guard .now < deadline else { throw database.failure("write", error) }
                PostgreSQLConnection.pause(.milliseconds(10))
            }
        }
    }

    /// The statement that makes transactions with changes run one after another. Records therefore have positions in the
    /// order of the commits, and no transaction waits for a record that another one has changed. A notification makes
    /// commits wait for each other anyway.
    private static let lock = "SELECT pg_advisory_xact_lock('viper_record'::regclass::oid::bigint)"

    /// The statement that notifies all providers of this table, when the transaction commits.
    private static let notification = "SELECT pg_notify(\(ChangeListener.channel), $1::text)"

    /// Returns true if the server has committed the transaction with a key. After false, it cannot commit it any more.
    private func isCommitted(_ key: CommitKey, after loss: PostgreSQLFailure) throws(ViperError) -> Bool {
        let deadline = ContinuousClock.now + database.timeout
        do throws(PostgreSQLFailure) {
            while true {
                let connection = try connected(until: deadline)
                do { return try connection.run(key.lookup)[1].first != Array("true".utf8) } catch {
                    if error.isLoss { disconnect() }
                    guard error.isLoss || error.isConflict, .now < deadline else { throw error }
                }
            }
        } catch {
            throw ViperError(
                .commitUnknown, operation: "cannot write database", subject: database.string.label,
                cause: "the connection was lost during the commit, and the server cannot be asked for its outcome",
                notes: [
                    .init("lost", database.string.redacted(loss.message)),
                    .init("then", database.string.redacted(error.message)),
                ],
                fix: "read the records again to see whether the changes were made")
        }
    }

    private func connected(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
        // A server that was restarted has closed the connection.
        if let connection, connection.isOpen() { return connection }
        disconnect()
        let new = try database.connect(until: deadline)
        database.note(new.process, isOwn: true)
        connection = new
        return new
    }

    private func disconnect() {
        if let connection { database.note(connection.process, isOwn: false) }
        connection = nil
    }
}
