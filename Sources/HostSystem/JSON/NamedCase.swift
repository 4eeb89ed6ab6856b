import ViperKit

/// An enumeration that JSON represents by its raw values. Decoding any other text throws an error that lists the valid
/// ones.
package protocol NamedCase: RawRepresentable<String>, CaseIterable, Codable {
    /// The noun for a case in errors, such as `phase`.
    static var noun: String { get }
}

extension NamedCase {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONIssue(
                path: decoder.codingPath, cause: "unknown \(Self.noun) \"\(text)\"",
                recoverySuggestion: "write one of \(names)")
        }
        self = value
    }
}
