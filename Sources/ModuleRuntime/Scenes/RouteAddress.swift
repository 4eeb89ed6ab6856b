import ModuleCatalog
package import ViperKit

/// A route's name, which parameters may follow, such as `person?id=58f9&tag=new&tag=late`.
///
/// The parameters are the query of a URI: names and values are percent-encoded (RFC 3986, sections 2.1 and 3.4), `+` is a
/// plus sign, and a parameter with an array type occurs once for each item.
package struct RouteAddress: Sendable, Equatable {
    package let route: String
    /// The parameters. Each has one string for each time it occurs.
    package let texts: [String: [String]]

    /// True if this is the address of the start route.
    package var isEmpty: Bool { route.isEmpty && texts.isEmpty }

    /// Creates an address by parsing its text. Does not check whether the route exists.
    ///
    /// - Throws: ``ViperError/Code/parameterInvalid`` if a part of the query is not `NAME=VALUE` with valid
    ///   percent-encoding.
    package init(_ text: String) throws(ViperError) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            (route, texts) = (text, [:])
            return
        }
        route = String(text[..<mark])
        var texts: [String: [String]] = [:]
        let query = text[mark...].utf8.dropFirst()
        for part in query.isEmpty ? [] : query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: UInt8(ascii: "=")), sign > part.startIndex else {
                throw Self.invalid(text, "\"\(String(part) ?? "")\" is not NAME=VALUE")
            }
            guard let name = Self.decoded(part[..<sign]), let value = Self.decoded(part[sign...].dropFirst()) else {
                throw Self.invalid(text, "\"\(String(part) ?? "")\" is not percent-encoded UTF-8")
            }
            texts[name, default: []].append(value)
        }
        self.texts = texts
    }

    private static func invalid(_ text: String, _ cause: String) -> ViperError {
        ViperError(
            .parameterInvalid, operation: "cannot open route", subject: text, cause: cause,
            fix: "write ROUTE?NAME=VALUE&NAME=VALUE; within names and values, write %25 for %, %26 for & and %23 for #")
    }

    /// Returns percent-encoded text decoded. Returns nil if it is invalid, or contains the mark of a fragment.
    private static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"): return nil
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

extension RouteAddress {
    /// Returns the text of an address. Parameters are sorted by name.
    static func text(_ route: String, _ parameters: [String: ParameterValue]) -> String {
        var text = route
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            let items = if case .array(let items) = value { items } else { [value] }
            for item in items {
                text += (text.utf8.count == route.utf8.count ? "?" : "&") + name + "="
                text += encoded(item.text)
            }
        }
        return text
    }

    /// Returns a text percent-encoded. Only the unreserved characters of RFC 3986 stay as they are.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
