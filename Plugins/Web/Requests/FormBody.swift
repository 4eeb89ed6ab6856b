/// The names and values of a submitted form, in the format `application/x-www-form-urlencoded`.
struct FormBody {
    /// The pairs in the order in which the browser has sent them.
    let pairs: [(name: String, value: String)]
    private let values: [String: [String]]

    /// The maximum number of pairs. A form of this size has more fields than a person fills in.
    private static let limit = 2_000

    /// Parses a form. Returns nil if it has too many pairs, or is not percent-encoded UTF-8.
    init?(_ bytes: some Collection<UInt8>) {
        var pairs: [(name: String, value: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard pairs.count < Self.limit, let name = Self.decoded(name),
                let value = Self.decoded(part.drop { $0 != UInt8(ascii: "=") }.dropFirst())
            else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
        values = Dictionary(grouping: pairs, by: \.name).mapValues { $0.map(\.value) }
    }

    /// The values of a name, in order.
    subscript(name: String) -> [String] { values[name] ?? [] }

    private static func decoded(_ text: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
