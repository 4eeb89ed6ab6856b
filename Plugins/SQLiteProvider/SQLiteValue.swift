/// A value for a placeholder in a statement.
enum SQLiteValue: Sendable, Equatable {
    /// A text, as UTF-8 bytes.
    case text([UInt8])
    case integer(Int64)
    case real(Double)
}
