import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL server. Only this type uses libpq's pointers.
///
/// A connection must not be used concurrently. The actor that owns the connection ensures this. All methods block the
/// thread.
final class PostgreSQLConnection {
    // The handle is created in `init`, released in `deinit`, and never passed to other types.
    private let handle: OpaquePointer
    /// The maximum time in which the server sends nothing during a call.
    private let silence: Duration
    /// The names of the prepared statements, keyed by their SQL text.
    private var prepared: [String: String] = [:]

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - string: The server, the database and the user.
    ///   - deadline: The time at which the attempt ends.
    ///   - silence: The maximum time in which the server sends nothing during a call.
    init(
        _ string: ConnectionString, until deadline: ContinuousClock.Instant, silence: Duration
    ) throws(PostgreSQLFailure) {
        // Values in the connection string, which libpq expands from `dbname`, replace those before it.
        let parameters = [
            ("fallback_application_name", "viper-host"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
            ("keepalives_count", "3"), ("dbname", string.text), ("client_encoding", "UTF8"),
        ]
        let handle = withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let handle else { throw PostgreSQLFailure(message: "memory is exhausted") }
        (self.handle, self.silence) = (handle, silence)
        // By default, libpq prints notices to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        var state = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw loss() }
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: events, until: deadline) else { throw loss("the server does not answer") }
            state = PQconnectPoll(handle)
        }
        // Without blocking, libpq reads results even if the server does not take all statements yet.
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw loss() }
    }

    deinit { PQfinish(handle) }

    /// The ID of the process that serves this connection.
    var process: Int32 { PQbackendPID(handle) }

    /// The server's version, such as 150004 for 15.4.
    var version: Int32 { PQserverVersion(handle) }

    /// The encoding of the database, such as `UTF8`.
    var encoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "" }

    /// Returns false if the server has closed the connection.
    func isOpen() -> Bool { PQconsumeInput(handle) == 1 && PQstatus(handle) == CONNECTION_OK }

    /// Returns true if the server is not there or not ready, so that a later attempt may succeed. Blocks for up to two
    /// seconds.
    static func mayComeBack(_ string: ConnectionString) -> Bool {
        let ping = withCStrings(["dbname", "connect_timeout"]) { keywords in
            withCStrings([string.text, "2"]) { values in PQpingParams(keywords, values, 1) }
        }
        return ping == PQPING_REJECT || ping == PQPING_NO_RESPONSE
    }

    /// Blocks the thread for a time.
    static func pause(_ time: Duration) { usleep(useconds_t(time / .microseconds(1))) }

    /// Sends statements together, and returns the first column of each row of each statement, in binary format.
    ///
    /// After an error, the server skips the other statements, and the transaction that they have begun is rolled back.
    @discardableResult
    func run(_ statements: [Statement]) throws(PostgreSQLFailure) -> [[[UInt8]]] {
        let sent = try send(statements)
        var rows = Array(repeating: [[UInt8]](), count: statements.count)
        var failure: PostgreSQLFailure?
        for part in sent {
            do {
                let found = try result()
                if let number = part.statement { rows[number] = found } else { prepared[part.sql] = part.name }
            } catch {
                if error.isLoss { throw error }
                // The server reports only the first error. Those that follow say that a statement was skipped.
                if failure == nil {
                    failure = error
                    failure?.statement = part.owner
                }
            }
        }
        try finish()
        guard let failure else { return rows }
        if PQtransactionStatus(handle) != PQTRANS_IDLE { try run([Statement("ROLLBACK")]) }
        throw failure
    }

    /// A part of a call: the preparation of a statement, or its execution.
    private struct Part {
        var sql: String
        var name: String
        /// The position of the statement for which this part was sent.
        var owner: Int
        /// The position of the statement that this part executes. Nil for a preparation.
        var statement: Int?
    }

    private func send(_ statements: [Statement]) throws(PostgreSQLFailure) -> [Part] {
        var (parts, names): ([Part], [String: String]) = ([], prepared)
        for (number, statement) in statements.enumerated() {
            var name = names[statement.sql]
            if statement.isKept, name == nil {
                let new = "viper\(names.count)"
                guard PQsendPrepare(handle, new, statement.sql, 0, nil) == 1 else { throw loss() }
                parts.append(Part(sql: statement.sql, name: new, owner: number))
                (name, names[statement.sql]) = (new, new)
            }
            guard execute(statement, name) else { throw loss() }
            parts.append(Part(sql: statement.sql, name: name ?? "", owner: number, statement: number))
        }
        guard PQpipelineSync(handle) == 1 else { throw loss() }
        return parts
    }

    private func execute(_ statement: Statement, _ name: String?) -> Bool {
        let count = Int32(statement.values.count)
        // All values in one buffer, which has an address even if they are all empty. libpq copies them.
        let bytes = Array(statement.values.joined()) + [0]
        let lengths = statement.values.map { Int32($0.count) }
        let formats = Array(repeating: Int32(1), count: statement.values.count)
        return bytes.withUnsafeBytes { bytes in
            var (place, values): (Int, [UnsafePointer<CChar>?]) = (0, [])
            for length in lengths {
                values.append(bytes.baseAddress?.advanced(by: place).assumingMemoryBound(to: CChar.self))
                place += Int(length)
            }
            if let name { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1 }
            return PQsendQueryParams(handle, statement.sql, count, nil, values, lengths, formats, 1) == 1
        }
    }

    /// Waits for the result of a part, and returns the first column of its rows.
    private func result() throws(PostgreSQLFailure) -> [[UInt8]] {
        try awaitResult()
        guard let result = PQgetResult(handle) else { throw loss("the server's answer is incomplete") }
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(status) else { throw failure(result) }
        var rows: [[UInt8]] = []
        for row in 0..<PQntuples(result) where PQnfields(result) > 0 {
            // The address is valid until the result is cleared. It is never NULL.
            rows.append(
                Array(
                    UnsafeRawBufferPointer(
                        start: PQgetvalue(result, row, 0), count: Int(PQgetlength(result, row, 0)))))
        }
        try expectEnd()
        return rows
    }

    /// Returns the error of a failed result, after reading the rest of the part.
    private func failure(_ result: OpaquePointer) -> PostgreSQLFailure {
        func field(_ code: Int32) -> String { PQresultErrorField(result, code).map { String(cString: $0) } ?? "" }
        let (state, message) = (field(cpostgresql_state), field(cpostgresql_message))
        // After a fatal error, the server closes the connection.
        if PQstatus(handle) == CONNECTION_BAD || ["FATAL", "PANIC"].contains(field(cpostgresql_severity)) {
            var loss = loss(message.isEmpty ? nil : message)
            loss.state = state
            return loss
        }
        do { try expectEnd() } catch { return error }
        return PostgreSQLFailure(state: state, message: message.isEmpty ? text() : message)
    }

    /// Reads the end of a part's results.
    private func expectEnd() throws(PostgreSQLFailure) {
        try awaitResult()
        guard let result = PQgetResult(handle) else { return }
        PQclear(result)
        throw loss("the server's answer is too long")
    }

    /// Reads the answer to the end of a call. The server sends it after it has committed.
    private func finish() throws(PostgreSQLFailure) {
        try awaitResult()
        let result = PQgetResult(handle)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw loss() }
    }

    /// Sends what has not been sent yet, and waits until a result is there.
    private func awaitResult() throws(PostgreSQLFailure) {
        while true {
            let unsent = PQflush(handle)
            if PQisBusy(handle) == 0 { return }
            guard unsent >= 0 else { throw loss() }
            let events = unsent > 0 ? POLLIN | POLLOUT : POLLIN
            guard wait(for: events, until: .now + silence) else { throw loss("the server does not answer") }
            guard PQconsumeInput(handle) == 1 else { throw loss() }
        }
    }

    /// Waits for a notification, and returns all that have arrived.
    ///
    /// - Returns: The payloads with the IDs of the processes that have sent them. Empty after the time limit.
    func notifications(within limit: Duration) throws(PostgreSQLFailure) -> [(process: Int32, payload: String)] {
        if wait(for: POLLIN, until: .now + limit), PQconsumeInput(handle) == 0 { throw loss() }
        var found: [(Int32, String)] = []
        while let notification = PQnotifies(handle) {
            found.append((notification.pointee.be_pid, String(cString: notification.pointee.extra)))
            PQfreemem(notification)
        }
        return found
    }

    /// Waits until the socket is readable or writable. Returns false after the deadline.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            var ready = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let rest = max(.zero, deadline - ContinuousClock.now) / .milliseconds(1)
            let count = poll(&ready, 1, Int32(min(rest.rounded(.up), 1e9)))
            if count > 0 { return true }
            // An error other than EINTR shows in libpq's next call.
            if count == 0 || errno != EINTR { return count < 0 }
        }
    }

    /// Returns the error for a lost connection.
    private func loss(_ message: String? = nil) -> PostgreSQLFailure {
        PostgreSQLFailure(message: message ?? text(), isLoss: true)
    }

    /// Returns libpq's error message in one line.
    private func text() -> String {
        // libpq owns the text.
        let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
        return lines.isEmpty ? "the connection was closed" : lines.map(trimmed).joined(separator: "; ")
    }
}

private func trimmed(_ line: Substring) -> Substring { line.drop { $0 == " " || $0 == "\t" } }

/// Calls a closure with C strings in an array that ends with NULL.
private func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value?
) -> Value? {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return (pointers.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { $0.baseAddress.flatMap(body) }
}
