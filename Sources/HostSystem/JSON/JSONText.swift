package import FoundationEssentials
package import ViperKit

/// JSON text that the strict scanner has accepted. Decoding errors contain the text's name and the position of the
/// invalid value.
///
/// All decoding uses this type, so that `JSONDecoder` never receives text that was not scanned. `JSONDecoder` accepts
/// trailing commas and duplicate keys, and it crashes on 513 open brackets.
package struct JSONText {
    /// The error code and the failed operation that all errors about a JSON text have in common.
    package struct Purpose {
        package var code: ViperError.Code
        package var operation: String

        package init(code: ViperError.Code, operation: String) {
            (self.code, self.operation) = (code, operation)
        }
    }

    package let name: String
    package let data: Data
    /// The byte ranges of the members of the object, if the text was created with
    /// ``init(message:named:purpose:)``. Nil otherwise.
    private var members: [String: Range<Int>]?
    var purpose: Purpose

    /// Creates JSON text after checking its syntax.
    ///
    /// - Throws: An error with the position of the first syntax error or repeated key.
    package init(name: String, data: Data, purpose: Purpose) throws(ViperError) {
        (self.name, self.data, self.purpose) = (name, data, purpose)
        do { _ = try JSONScanner.scan([UInt8](data)) } catch { throw failure(error, in: [UInt8](data)) }
    }

    /// Creates JSON text from a message after checking its syntax. The scan also finds the object's members, so that
    /// ``member(_:)`` and ``decodeMember(_:_:)`` need not parse the message again.
    ///
    /// - Throws: An error with the position of the first syntax error or repeated key.
    package init(message bytes: [UInt8], named name: String, purpose: Purpose) throws(ViperError) {
        (self.name, data, self.purpose) = (name, Data(bytes), purpose)
        do { members = try JSONScanner.members(bytes) } catch { throw failure(error, in: bytes) }
    }

    /// A member of a message's object.
    package enum Member: Equatable {
        case missing
        case string(String)
        case integer(Int)
        case emptyObject
        /// Any other value, such as a string with escapes.
        case other
    }

    /// Returns a member of the message's object. Returns nil if the text was not created from a message.
    package func member(_ key: String) -> Member? {
        guard let members else { return nil }
        guard let range = members[key] else { return .missing }
        let bytes = data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        if bytes.elementsEqual("{}".utf8) { return .emptyObject }
        if bytes.first == UInt8(ascii: "\"") {
            return bytes.contains(UInt8(ascii: "\\"))
                ? .other : .string(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
        }
        // `Int` also accepts a plus sign, but the scanner does not.
        return Int(String(decoding: bytes, as: UTF8.self)).map(Member.integer) ?? .other
    }

    /// Decodes a member of the message's object. Returns nil if the member is missing, or if the text was not created
    /// from a message.
    package func decodeMember<Value: Decodable>(_ key: String, _ type: Value.Type) throws(ViperError) -> Value? {
        guard let range = members?[key] else { return nil }
        return try decode(type, in: range, at: [.key(key)])
    }

    private init(element range: Range<Int>, of text: JSONText, named name: String) {
        (self.name, data, purpose) = (name, text.bytes(range), text.purpose)
    }

    /// Returns the elements of the JSON array in this text, or nil if the text is not an array.
    ///
    /// - Parameter name: A closure that returns the name of the element at an index. Errors contain this name.
    package func elements(named name: @escaping (Int) -> String) -> (some Sequence<JSONText>)? {
        let isArray = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "[")
        return isArray
            ? jsonElementRanges([UInt8](data)).enumerated().lazy.map { index, range in
                JSONText(element: range, of: self, named: name(index))
            } : nil
    }

    private func bytes(_ range: Range<Int>) -> Data {
        Data(data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)])
    }

    package func with(_ code: ViperError.Code) -> JSONText {
        var text = self
        text.purpose.code = code
        return text
    }

    package func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw located(error)
        }
    }

    /// Decodes a value from a part of the text.
    ///
    /// - Parameters:
    ///   - range: The byte range of the part.
    ///   - path: The part's path in the text. Errors include the path.
    package func decode<Value: Decodable>(
        _ type: Value.Type, in range: Range<Int>, at path: [JSONStep]
    ) throws(ViperError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: bytes(range))
        } catch {
            throw located(error, below: path)
        }
    }

    /// Decodes a JSON literal in the host's code. Call it only from `init(from:)`, because it throws the decoder's
    /// errors without a position.
    package static func decode<Value: Decodable>(_ type: Value.Type, literal text: StaticString) throws -> Value {
        try JSONDecoder().decode(type, from: Data("\(text)".utf8))
    }

    private func failure(_ problem: JSONScanner.Problem, in bytes: [UInt8]) -> ViperError {
        failure(
            at: problem.offset, in: bytes, cause: problem.cause, path: problem.path,
            fix: problem.fix)
    }

    private func located(_ error: any Error, below path: [JSONStep] = []) -> ViperError {
        let bytes = [UInt8](data)
        var issue = JSONIssue(error)
        issue.path.insert(contentsOf: path, at: 0)
        do {
            // A missing key has no position, so its issue has the path of the object instead.
            let place = try JSONScanner.scan(bytes, seeking: issue.path)
            let offset = (issue.isAboutKey ? place?.key : nil) ?? place?.value ?? 0
            let found = bytes.indices.contains(offset) ? JSONKind(firstByte: bytes[offset]) : nil
            let cause = issue.expected.map { "expected \($0), found \(found?.rawValue ?? "nothing")" } ?? issue.cause
            return failure(
                at: offset, in: bytes, cause: cause, path: issue.path, fix: issue.fix)
        } catch {
            return failure(error, in: bytes)
        }
    }

    package func failure(
        at offset: Int, in bytes: [UInt8], cause: String, path: [JSONStep]? = nil, fix: String? = nil
    ) -> ViperError {
        ViperError(
            purpose.code, operation: purpose.operation, subject: "\(name):\(TextPosition(offset: offset, in: bytes))",
            cause: cause,
            notes: path.map { [.init("at", jsonPath($0))] } ?? [], fix: fix)
    }
}

/// A kind of JSON value. The raw value is the kind's name in errors.
enum JSONKind: String {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case boolean = "true or false"
    case null = "null"
    case number = "a number"

    init(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
