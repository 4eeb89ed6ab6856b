/// A value for a placeholder in a statement.
enum SQLiteValue: Sendable, Equatable {
    /// A string, encoded in UTF-8.
    case text([UInt8])
    case integer(Int64)
    case real(Double)
}
