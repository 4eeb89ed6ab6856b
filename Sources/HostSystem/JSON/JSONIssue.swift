/// What is wrong with one value of a JSON text that is well-formed.
///
/// A `Decodable` throws it where it knows more than a `DecodingError` can say: what to write instead.
package struct JSONIssue: Error {
    package var path: [JSONStep]
    /// Whether the key is at fault rather than its value.
    var isAboutKey = false
    /// What kind of value was expected, when it is the kind that is wrong.
    var expected: String?
    var cause: String
    var mend: String?

    package init(path: [any CodingKey], isAboutKey: Bool = false, cause: String, mend: String?) {
        self.path = path.map(JSONStep.init)
        (self.isAboutKey, self.cause, self.mend) = (isAboutKey, cause, mend)
    }

    /// The issue behind whatever a decoder threw.
    init(_ error: any Error) {
        switch error {
        case let issue as JSONIssue:
            self = issue
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            let kind = JSONKind(decoding: type).rawValue
            self.init(path: context.codingPath, cause: context.debugDescription, mend: "write \(kind)")
            expected = kind
        case DecodingError.keyNotFound(let key, let context):
            let name = key.stringValue
            self.init(path: context.codingPath, cause: "\"\(name)\" is missing", mend: "add \"\(name)\"")
        case DecodingError.dataCorrupted(let context) where context.debugDescription.hasSuffix("not valid JSON."):
            // It is valid, for it was scanned before. So JSONDecoder puts it when a number does not fit, without a word of where it is.
            self.init(
                path: context.codingPath, cause: "a number in it is not whole, or too great",
                mend: "write a whole number of 64 bits where one is expected")
        case DecodingError.dataCorrupted(let context):
            self.init(path: context.codingPath, cause: context.debugDescription, mend: nil)
        default:
            self.init(path: [], cause: "\(error)", mend: nil)
        }
    }
}

extension JSONKind {
    /// The kind of value that a Swift type is decoded from.
    fileprivate init(decoding type: any Any.Type) {
        let name = "\(type)"
        switch name {
        case "String": self = .string
        case "Bool": self = .boolean
        case _ where name.hasPrefix("Array"): self = .array
        case _ where type is any Numeric.Type: self = .number
        default: self = .object
        }
    }
}

/// Any key at all.
package struct AnyKey: CodingKey {
    package var stringValue: String
    package var intValue: Int? { nil }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension Decoder {
    /// The keyed values of an object that may have these keys and no others.
    package func strictContainer<Key: CodingKey & CaseIterable>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Key.allCases.map(\.stringValue)
        let keys = try container(keyedBy: AnyKey.self).allKeys.sorted { $0.stringValue < $1.stringValue }
        if let unknown = keys.first(where: { !known.contains($0.stringValue) }) {
            let near = nearestNames(to: unknown.stringValue, in: known).first
            let others = known.isEmpty ? "remove it" : "use only \(known.joined(separator: ", "))"
            throw JSONIssue(
                path: codingPath + [unknown], isAboutKey: true, cause: "unknown key \"\(unknown.stringValue)\"",
                mend: near.map { "write \"\($0)\"" } ?? others)
        }
        return try container(keyedBy: type)
    }
}
