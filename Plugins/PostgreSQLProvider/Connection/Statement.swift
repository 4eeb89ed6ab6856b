/// An SQL statement with the values for its placeholders.
struct Statement: Sendable {
    let sql: String
    /// The values in the binary format of `text` or `bytea`, which is the text in UTF-8 or the bytes. Statements cast them
    /// to other types.
    let values: [[UInt8]]
    /// True if the connection keeps the prepared statement for later calls.
    let isKept: Bool

    init(_ sql: String, _ values: [[UInt8]] = [], isKept: Bool = true) {
        (self.sql, self.values, self.isKept) = (sql, values, isKept)
    }
}
