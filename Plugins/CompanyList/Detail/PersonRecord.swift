/// A record in `company.json`. A malformed record causes an error only when the record is requested.
struct PersonRecord: Sendable, Decodable {
    /// The reason why a record cannot be decoded.
    struct Fault: Error, Equatable {
        /// The coding path in the file, such as `[3].age`.
        var path: String
        var cause: String
    }

    /// The record's `_id`, or nil if the record has none. A record without an `_id` cannot be requested.
    var id: String?
    var person: Result<PersonDetail, Fault>

    private struct Identity: Decodable {
        enum CodingKeys: String, CodingKey { case id = "_id" }
        var id: String
    }

    init(from decoder: any Decoder) {
        do {
            let detail = try PersonDetail(from: decoder)
            (id, person) = (detail.id, .success(detail))
        } catch {
            (id, person) = (try? Identity(from: decoder).id, .failure(Fault(error, at: decoder.codingPath)))
        }
    }
}

extension PersonRecord.Fault {
    /// Creates a fault from a decoding error.
    ///
    /// - Parameters:
    ///   - error: The error that occurred when decoding the record.
    ///   - place: The record's coding path, for an error that has no coding path of its own.
    fileprivate init(_ error: any Error, at place: [any CodingKey]) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(context.codingPath, "\"\(key.stringValue)\" is missing")
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            let subject = context.codingPath.last.flatMap { $0.intValue == nil ? "\"\($0.stringValue)\"" : nil }
            self.init(context.codingPath, "\(subject ?? "it") is not \(Self.phrase(type))")
        case DecodingError.dataCorrupted(let context): self.init(context.codingPath, context.debugDescription)
        default: self.init(place, "a number is not an integer, or is out of range")
        }
    }

    private init(_ path: [any CodingKey], _ cause: String) {
        self.path = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        self.cause = cause
    }

    private static func phrase(_ type: any Any.Type) -> String {
        switch type {
        case is Int.Type: "an integer"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        default: "an object"
        }
    }
}
