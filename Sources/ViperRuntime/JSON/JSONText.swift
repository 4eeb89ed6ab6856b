import FoundationEssentials
import ViperKit

/// A JSON text with the name that errors call it by. Decodes, and says of each error where in the text it is.
struct JSONText {
    /// What an error is about: its code, and the beginning of its sentence.
    struct Purpose {
        var code: ViperError.Code
        var what: String
    }

    var name: String
    var data: Data
    var purpose: Purpose

    /// A value of this type. The text has to be JSON by the letter, with every key once: `JSONDecoder` alone takes trailing
    /// commas and repeated keys without a word.
    func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try checkSyntax()
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw located(error)
        }
    }

    /// A value of this type from a part of the text, which stands at this path. The text was checked before.
    func decode<Value: Decodable>(
        _ type: Value.Type, from part: ArraySlice<UInt8>, at path: [JSONStep]
    ) throws(ViperError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(part))
        } catch {
            throw located(error, below: path)
        }
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
    func failure(
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
