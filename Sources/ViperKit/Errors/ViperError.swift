/// An error with its evidence: a code, the failed operation, its subject, the cause, and a suggested fix.
///
/// Host and modules use this type for all errors, so the host prints every error in the same form:
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
public struct ViperError: Error, Sendable, Equatable, Codable {
    /// The error code. Its text is stable, so scripts can rely on it.
    public var code: Code
    /// The failed operation, as the beginning of a sentence: `cannot open route`.
    public var what: String
    /// The subject of the operation: a name, a path, or `file:line:column`.
    public var subject: String
    /// The reason for the failure.
    public var cause: String
    /// Evidence, in display order.
    public var notes: [Note]
    /// A suggested fix as an imperative, or nil if none is known.
    public var mend: String?

    /// One labelled line of evidence.
    public struct Note: Sendable, Equatable, Codable {
        /// A label for the text, such as `looked in`.
        public var label: String
        /// The evidence itself.
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
    ///   - what: The failed operation, as the beginning of a sentence: `cannot open route`.
    ///   - subject: The subject of the operation: a name, a path, or `file:line:column`.
    ///   - cause: The reason for the failure.
    ///   - notes: Evidence, in display order.
    ///   - mend: A suggested fix as an imperative.
    public init(
        _ code: Code, _ what: String, _ subject: String, cause: String, notes: [Note] = [], mend: String? = nil
    ) {
        (self.code, self.what, self.subject) = (code, what, subject)
        (self.cause, self.notes, self.mend) = (cause, notes, mend)
    }
}

extension ViperError: CustomStringConvertible {
    /// The operation, subject, and cause in one line: `cannot open route "lst": no module provides it`.
    public var summary: String { "\(what) \"\(subject)\": \(cause)" }

    /// The summary, followed by one indented line for each note and for the suggested fix. The texts are aligned.
    public var description: String {
        let lines = notes + (mend.map { [Note("to mend", $0)] } ?? [])
        let width = lines.map(\.label.count).max() ?? 0
        return lines.reduce(into: summary) { text, line in
            text += "\n  \(line.label)\(String(repeating: " ", count: width - line.label.count))  \(line.text)"
        }
    }
}
