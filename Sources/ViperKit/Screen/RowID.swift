/// The identity of a row.
///
/// For rows that show records, use `String` or `Int`, which conform to this protocol. For rows that are known in
/// advance, use an enumeration with `String` raw values, which only needs to declare the conformance. For rows of
/// several kinds, use an enumeration with a case for each kind:
///
/// ```swift
/// enum ShopRow: RowID {
///     case item(Int)
///     case basket
///
///     init?(rowID: String) {
///         if rowID == "basket" {
///             self = .basket
///         } else if let id = Int(rowID: rowID) {
///             self = .item(id)
///         } else {
///             return nil
///         }
///     }
///
///     var rowID: String {
///         switch self {
///         case .item(let id): id.rowID
///         case .basket: "basket"
///         }
///     }
/// }
/// ```
public protocol RowID: Hashable, Sendable {
    /// Creates the identity from its text, or returns nil if no row can have this identity.
    init?(rowID: String)
    /// The identity as text, which ``Event/select(row:)`` refers to. It must be unique on the screen.
    var rowID: String { get }
}

extension RowID where Self: RawRepresentable, RawValue == String {
    public init?(rowID: String) { self.init(rawValue: rowID) }
    public var rowID: String { rawValue }
}

extension String: RowID {
    public init?(rowID: String) { self = rowID }
    public var rowID: String { self }
}

extension Int: RowID {
    /// Creates an integer from its shortest decimal form. Returns nil for any other text, such as `+7` or `07`.
    public init?(rowID: String) {
        guard let number = Int(rowID), String(number) == rowID else { return nil }
        self = number
    }

    public var rowID: String { String(self) }
}

extension Never: RowID {
    public init?(rowID: String) { return nil }
    public var rowID: String { switch self {} }
}

extension Row {
    /// Creates a row with one column.
    public init(id: some RowID, title: String) { self.init(id: id, title: title, detail: nil) }

    /// Creates a row with an optional second column.
    public init(id: some RowID, title: String, detail: String?) {
        self.init(id: id.rowID, title: title, detail: detail)
    }
}
