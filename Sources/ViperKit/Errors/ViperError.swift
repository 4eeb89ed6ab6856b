/// What went wrong, as data: a code, what was tried, on what, why it failed, and how to mend it.
///
/// Host and modules share this one shape, so every error is shown the same way:
///
///     host: cannot open route "lst": no module provides it
///       looked in     Manifests (4 modules, 7 routes)
///       did you mean  list
///
/// It is compared by ``code``, never by its text:
///
/// ```swift
/// do { people = try await files.decode([Person].self, from: "company.json") }
/// catch where error.code == .fileMissing { people = [] }
/// ```
public struct ViperError: Error, Sendable, Equatable, Codable {
    /// Which error it is. The text is stable and may be used by scripts.
    public var code: Code
    /// What was tried, as the beginning of a sentence: `cannot open route`.
    public var what: String
    /// On what it was tried: a name, a path, or `file:line:column`.
    public var subject: String
    /// Why it failed.
    public var cause: String
    /// Evidence, in the order in which it is shown.
    public var notes: [Note]
    /// What to do about it, when that is known.
    public var mend: String?

    /// One labelled line of evidence.
    public struct Note: Sendable, Equatable, Codable {
        /// What the text is: `looked in`.
        public var label: String
        /// The evidence itself.
        public var text: String

        /// A labelled line.
        public init(_ label: String, _ text: String) {
            (self.label, self.text) = (label, text)
        }
    }

    /// An error with its evidence.
    public init(
        _ code: Code, _ what: String, _ subject: String, cause: String, notes: [Note] = [], mend: String? = nil
    ) {
        (self.code, self.what, self.subject) = (code, what, subject)
        (self.cause, self.notes, self.mend) = (cause, notes, mend)
    }
}

extension ViperError: CustomStringConvertible {
    /// What was tried on what, and why it failed, in one line: `cannot open route "lst": no module provides it`.
    public var summary: String { "\(what) \"\(subject)\": \(cause)" }

    /// The summary, then one indented line for each note and for the mend, their texts in one column.
    public var description: String {
        let lines = notes + (mend.map { [Note("to mend", $0)] } ?? [])
        let width = lines.map(\.label.count).max() ?? 0
        return lines.reduce(into: summary) { text, line in
            text += "\n  \(line.label)\(String(repeating: " ", count: width - line.label.count))  \(line.text)"
        }
    }
}
