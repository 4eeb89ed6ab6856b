/// An invalid value in well-formed JSON text.
///
/// Types that conform to `Decodable` throw this error to suggest a fix, which a `DecodingError` cannot contain.
package struct JSONIssue: Error {
    package var path: [JSONStep]
    /// True if the key is invalid rather than its value.
    var isAboutKey = false
    /// The expected kind of value. Nil unless the value has the wrong kind.
    var expected: String?
    var cause: String
    var fix: String?

    package init(path: [any CodingKey], isAboutKey: Bool = false, cause: String, fix: String?) {
        self.path = path.map(JSONStep.init)
        (self.isAboutKey, self.cause, self.fix) = (isAboutKey, cause, fix)
    }

    init(_ error: any Error) {
        switch error {
        case let issue as JSONIssue:
            self = issue
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            let kind = JSONKind(decoding: type).rawValue
            self.init(path: context.codingPath, cause: context.debugDescription, fix: "write \(kind)")
            expected = kind
        case DecodingError.keyNotFound(let key, let context):
            let name = key.stringValue
            self.init(path: context.codingPath, cause: "\"\(name)\" is missing", fix: "add \"\(name)\"")
        case DecodingError.dataCorrupted(let context) where context.debugDescription.hasSuffix("not valid JSON."):
            // The scanner has accepted the text, so it is valid JSON. If a number does not fit its type, JSONDecoder
            // reports this error without the number's path.
            self.init(
                path: context.codingPath, cause: "a number is not an integer, or is out of range",
                fix: "write a 64-bit integer where one is expected")
        case DecodingError.dataCorrupted(let context):
            self.init(path: context.codingPath, cause: context.debugDescription, fix: nil)
        default:
            self.init(path: [], cause: "\(error)", fix: nil)
        }
    }
}

extension JSONKind {
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

package struct AnyKey: CodingKey {
    package var stringValue: String
    package var intValue: Int? { nil }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension Decoder {
    /// Returns a keyed container for an object. Throws an error if the object has a key that is not in `Key`.
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
                fix: near.map { "write \"\($0)\"" } ?? others)
        }
        return try container(keyedBy: type)
    }
}
