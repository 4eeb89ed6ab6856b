/// The identity of a row. Its `description` is the row's ID, which ``Event/select(row:)`` refers to. It must be unique on
/// the screen.
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
///     init?(_ id: String) {
///         if id == "basket" {
///             self = .basket
///         } else if let number = Int(id) {
///             self = .item(number)
///         } else {
///             return nil
///         }
///     }
///
///     var description: String {
///         switch self {
///         case .item(let number): "\(number)"
///         case .basket: "basket"
///         }
///     }
/// }
/// ```
public protocol RowID: LosslessStringConvertible, Hashable, Sendable {}

extension RowID where Self: RawRepresentable, RawValue == String {
    public init?(_ description: String) { self.init(rawValue: description) }
    public var description: String { rawValue }
}

extension String: RowID {}
extension Int: RowID {}
