import ViperKit

/// An enumeration whose cases are encoded as their raw values in JSON. Decoding an unknown raw value throws an error
/// that lists the valid raw values.
package protocol NamedCase: RawRepresentable<String>, CaseIterable, Codable {
    /// The noun that errors use for a case, such as `phase`.
    static var noun: String { get }
}

extension NamedCase {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONIssue(
                path: decoder.codingPath, cause: "unknown \(Self.noun) \"\(text)\"",
                fix: "write one of \(names)")
        }
        self = value
    }
}
