/// A value for a placeholder in a statement.
enum SQLiteValue: Sendable, Equatable {
    /// UTF-8 text.
    case text([UInt8])
    case integer(Int64)
    case real(Double)
}
