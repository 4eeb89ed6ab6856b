import Synchronization
import ViperKit

/// The database of a provider, and how its sessions connect to it.
final class Database: Sendable {
    let string: ConnectionString
    /// The maximum time of a statement, and of retries.
    let timeout: Duration
    let logger: any Logger
    /// The IDs of the server processes that serve this provider's own calls.
    private let processes = Mutex<Set<Int32>>([])

    /// The maximum time in which the server sends nothing. It is longer than a statement takes.
    private var silence: Duration { timeout + min(timeout, .seconds(5)) }

    init(_ string: ConnectionString, timeout: Duration, logger: any Logger) {
        (self.string, self.timeout, self.logger) = (string, timeout, logger)
    }

    /// Connects, and creates the tables if they are missing. Blocks the thread.
    ///
    /// While the server is not there or not ready, retries until the deadline.
    func connect(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
        var (pause, wasReady) = (Duration.milliseconds(20), false)
        while true {
            do {
                let connection = try PostgreSQLConnection(string, until: deadline, silence: silence)
                try prepare(connection)
                return connection
            } catch {
                guard error.isLoss, .now < deadline else { throw error }
                // The server may have become ready since the attempt. If the next attempt fails too, something else is
                // wrong, such as the password.
                let isReady = !PostgreSQLConnection.mayComeBack(string)
                if isReady, wasReady { throw error }
                wasReady = isReady
            }
            PostgreSQLConnection.pause(pause)
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    private func prepare(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
        guard connection.version >= 140_000, connection.encoding == "UTF8" else {
            throw PostgreSQLFailure(
                message: "the server has version \(connection.version / 10_000) and the database the encoding "
                    + "\(connection.encoding), expected at least version 14 and the encoding UTF8")
        }
        let milliseconds = Array("\(Int(timeout / .milliseconds(1)))".utf8)
        let rows = try connection.run([
            // Without waiting for the disk, an acknowledged commit could be lost.
            Statement(
                "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
                isKept: false),
            Statement("SELECT set_config('statement_timeout', $1::text, false)", [milliseconds], isKept: false),
            Schema.count,
        ])
        // The number 2 in the binary format of `bigint`.
        if rows[2].first?.last != 2 { try connection.run(Schema.creation) }
        try connection.run([Schema.expiry])
    }

    /// Notes that a process serves this provider's own calls, or no longer does.
    func note(_ process: Int32, isOwn: Bool) {
        processes.withLock { if isOwn { $0.insert(process) } else { $0.remove(process) } }
    }

    func isOwn(_ process: Int32) -> Bool { processes.withLock { $0.contains(process) } }

    /// Returns the error for a failed operation, without passwords.
    func failure(_ operation: String, _ failure: PostgreSQLFailure) -> ViperError {
        ViperError(
            .storeFailed, operation: "cannot \(operation) database", subject: string.label,
            cause: string.redacted(failure.message),
            notes: failure.state.isEmpty ? [] : [.init("SQLSTATE", failure.state)], fix: failure.fix)
    }
}
