/// An error with a code, the failed operation, its subject, the cause, additional notes, and a suggested fix.
///
/// The host and its modules use this type for all errors, so the host prints every error in the same format:
///
///     host: cannot open route "lst": no module provides it
///       looked in     Manifests (4 modules, 7 routes)
///       did you mean  list
///
/// Compare errors by ``code``, not by their text:
///
/// ```swift
/// do { people = try await files.decode([Person].self, from: "company.json") }
/// catch where error.code == .fileMissing { people = [] }
/// ```
public struct ViperError: Error, Sendable, Equatable {
    /// The error code. Its name never changes, so scripts can rely on it.
    public var code: Code
    /// The failed operation as the beginning of a sentence, such as `cannot open route`.
    public var operation: String
    /// The subject of the operation: a name, a path, or `file:line:column`.
    public var subject: String
    /// The reason for the failure.
    public var cause: String
    /// Additional information about the failure, in display order.
    public var notes: [Note]
    /// A suggested fix in the imperative, or nil if no fix is known.
    public var fix: String?

    /// A labelled line of additional information about a failure.
    public struct Note: Sendable, Equatable, Codable {
        /// A label for the text, such as `looked in`.
        public var label: String
        /// The text after the label.
        public var text: String

        /// Creates a note from a label and its text.
        public init(_ label: String, _ text: String) {
            (self.label, self.text) = (label, text)
        }
    }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error code.
    ///   - operation: The failed operation as the beginning of a sentence, such as `cannot open route`.
    ///   - subject: The subject of the operation: a name, a path, or `file:line:column`.
    ///   - cause: The reason for the failure.
    ///   - notes: Additional information about the failure, in display order.
    ///   - fix: A suggested fix in the imperative, or nil if no fix is known.
    public init(
        _ code: Code, operation: String, subject: String, cause: String, notes: [Note] = [],
        fix: String? = nil
    ) {
        (self.code, self.operation, self.subject) = (code, operation, subject)
        (self.cause, self.notes, self.fix) = (cause, notes, fix)
    }
}

// Encoding omits empty parts, and decoding ignores unknown keys. Versions of ViperKit with different properties can
// therefore exchange errors.
extension ViperError: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, kind, operation, subject, cause, notes, fix
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            Code(
                try values.decode(String.self, forKey: .code),
                try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .configuration),
            operation: try values.decode(String.self, forKey: .operation),
            subject: try values.decode(String.self, forKey: .subject),
            cause: try values.decode(String.self, forKey: .cause),
            notes: try values.decodeIfPresent([Note].self, forKey: .notes) ?? [],
            fix: try values.decodeIfPresent(String.self, forKey: .fix))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.name, forKey: .code)
        try values.encode(code.kind, forKey: .kind)
        try values.encode(operation, forKey: .operation)
        try values.encode(subject, forKey: .subject)
        try values.encode(cause, forKey: .cause)
        if !notes.isEmpty { try values.encode(notes, forKey: .notes) }
        try values.encodeIfPresent(fix, forKey: .fix)
    }
}

extension ViperError: CustomStringConvertible {
    /// The operation, subject, and cause in one line, such as `cannot open route "lst": no module provides it`.
    public var summary: String { "\(operation) \"\(subject)\": \(cause)" }

    /// The summary, followed by an indented line for each note and a line for the suggested fix. The notes are aligned.
    public var description: String {
        let width = notes.map(\.label.count).max() ?? 0
        let evidence = notes.reduce(into: summary) { text, note in
            text += "\n  \(note.label)\(String(repeating: " ", count: width - note.label.count))  \(note.text)"
        }
        return evidence + (fix.map { "\n  fix: \($0)" } ?? "")
    }
}
