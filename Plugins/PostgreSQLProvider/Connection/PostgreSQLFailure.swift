/// An error that the server or libpq reports.
struct PostgreSQLFailure: Error {
    /// The SQLSTATE, such as `23505`. Empty if the server has not reported the error.
    var state = ""
    var message: String
    /// The position of the failed statement among those that were sent together.
    var statement: Int?
    /// True if the connection is lost. The server may have committed what was sent.
    var isLoss = false

    var isExistingKey: Bool { state == "23505" }
    /// True if a statement divided by the number of records that it has changed, which was zero.
    var isMissingRecord: Bool { state == "22012" }
    /// True if the transaction was rolled back because of a concurrent one, and may succeed if it is repeated.
    var isConflict: Bool { ["40001", "40P01"].contains(state) }
    /// True if one of the values caused the error, rather than the database.
    var isOfValue: Bool { state.hasPrefix("22") || state.hasPrefix("54") }

    /// An instruction for the people who operate the database. Nil if none is known.
    var fix: String? {
        switch state {
        case "53100": "free space on the disk of the database's server"
        case "53300": "raise max_connections of the server, or lower postgresql.pool"
        case "57014": "retry, or raise postgresql.timeout"
        case "25006": "connect to a server that accepts changes"
        case "42501": "give the user of postgresql.connection the right to use and create tables"
        default: isLoss ? "check whether the database's server is running, and retry" : nil
        }
    }
}
