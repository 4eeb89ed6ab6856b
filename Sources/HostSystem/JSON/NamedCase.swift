import ViperKit

/// A type of fixed texts, each of which stands in JSON as it is. Another text is an error that says which there are.
package protocol NamedCase: RawRepresentable<String>, CaseIterable, Codable {
    /// What one of them is called: `phase`.
    static var noun: String { get }
}

extension NamedCase {
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: text) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONIssue(
                path: decoder.codingPath, cause: "no \(Self.noun) is named \"\(text)\"", mend: "write one of \(names)")
        }
        self = value
    }
}
