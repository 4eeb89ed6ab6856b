/// A value of a placeholder in a statement.
enum SQLiteValue: Sendable, Equatable {
    /// Text in UTF-8.
    case text([UInt8])
    case integer(Int64)
    case real(Double)
}
