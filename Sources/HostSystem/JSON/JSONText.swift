package import FoundationEssentials
package import ViperKit

/// A JSON text that the strict scanner has accepted, with the name that errors call it by. Decodes, and says of each error where in
/// the text it is.
///
/// Only this file calls `JSONDecoder`, so it gets no text that was not scanned: it takes trailing commas and repeated keys without a
/// word, and 513 open brackets end the process.
package struct JSONText {
    /// What an error is about: its code, and the beginning of its sentence.
    package struct Purpose {
        package var code: ViperError.Code
        package var what: String

        package init(code: ViperError.Code, what: String) {
            (self.code, self.what) = (code, what)
        }
    }

    package let name: String
    package let data: Data
    var purpose: Purpose

    /// Scans a text.
    ///
    /// - Throws: An error with the place where the text is not JSON by the letter, or has a key twice.
    package init(name: String, data: Data, purpose: Purpose) throws(ViperError) {
        (self.name, self.data, self.purpose) = (name, data, purpose)
        try checkSyntax()
    }

    private init(element range: Range<Int>, of text: JSONText, named name: String) {
        (self.name, data, purpose) = (name, text.bytes(range), text.purpose)
    }

    /// The elements of the array that this text is, each as a text with a name of its own. Nil if it is no array.
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

    /// The same text for another purpose.
    package func with(_ code: ViperError.Code) -> JSONText {
        var text = self
        text.purpose.code = code
        return text
    }

    /// A value of this type.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw located(error)
        }
    }

    /// A value of this type from the part of the text that is the value at this path.
    package func decode<Value: Decodable>(
        _ type: Value.Type, in range: Range<Int>, at path: [JSONStep]
    ) throws(ViperError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: bytes(range))
        } catch {
            throw located(error, below: path)
        }
    }

    /// A value of a text that stands in this program, for use within another decoding. Errors are the decoder's own.
    package static func decode<Value: Decodable>(_ type: Value.Type, literal text: StaticString) throws -> Value {
        try JSONDecoder().decode(type, from: Data("\(text)".utf8))
    }

    // On its own, so that its copy of the text is gone before the decoder makes another.
    private func checkSyntax() throws(ViperError) {
        let bytes = [UInt8](data)
        do {
            _ = try JSONScanner.scan(bytes)
        } catch {
            throw failure(at: error.offset, in: bytes, cause: error.cause, path: error.path, mend: error.mend)
        }
    }

    private func located(_ error: any Error, below path: [JSONStep] = []) -> ViperError {
        let bytes = [UInt8](data)
        var issue = JSONIssue(error)
        issue.path.insert(contentsOf: path, at: 0)
        do {
            // A key that is missing has no place; the object that lacks it has.
            let place = try JSONScanner.scan(bytes, seeking: issue.path)
            let offset = (issue.isAboutKey ? place?.key : nil) ?? place?.value ?? 0
            let found = bytes.indices.contains(offset) ? JSONKind(firstByte: bytes[offset]) : nil
            let cause = issue.expected.map { "expected \($0), found \(found?.rawValue ?? "nothing")" } ?? issue.cause
            return failure(at: offset, in: bytes, cause: cause, path: issue.path, mend: issue.mend)
        } catch {
            return failure(at: error.offset, in: bytes, cause: error.cause, path: error.path, mend: error.mend)
        }
    }

    /// The error of a text that is wrong at this place.
    package func failure(
        at offset: Int, in bytes: [UInt8], cause: String, path: [JSONStep]? = nil, mend: String? = nil
    ) -> ViperError {
        ViperError(
            purpose.code, purpose.what, "\(name):\(TextPosition(offset: offset, in: bytes))", cause: cause,
            notes: path.map { [.init("at", jsonPath($0))] } ?? [], mend: mend)
    }
}

/// The kinds of JSON value, as a person calls them.
enum JSONKind: String {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case boolean = "true or false"
    case null = "null"
    case number = "a number"

    /// The kind of the value that begins with this byte.
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
