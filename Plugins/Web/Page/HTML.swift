/// Markup whose literal parts are constants of the program, and whose text is escaped.
///
/// ```swift
/// let item: HTML = "<li>\(title)</li>"
/// ```
///
/// Text enters only through an interpolation, and each interpolation of a text escapes it. A literal is a
/// `StaticString`, so no text of a module can be passed as one.
struct HTML: Sendable {
    /// The markup in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// The number of bytes that were copied to create this value, including those of the values that it contains.
    private(set) var copied = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func += (left: inout HTML, right: HTML) {
        left.bytes += right.bytes
        left.copied += right.copied + right.bytes.count
    }

    /// Returns the markup of each element, one after the other.
    static func joined<Elements: Sequence>(
        _ elements: Elements, _ markup: (Elements.Element) -> HTML
    ) -> HTML {
        elements.reduce(into: HTML()) { $0 += markup($1) }
    }
}

extension HTML: ExpressibleByStringInterpolation {
    init(stringLiteral literal: StaticString) { append(literal) }

    init(stringInterpolation: Interpolation) { self = stringInterpolation.html }

    private mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes += $0 }
        copied += literal.utf8CodeUnitCount
    }

    private mutating func append(_ text: String, _ rule: TextRule) {
        let before = bytes.count
        text.escape(by: rule, into: &bytes)
        copied += bytes.count - before
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var html = HTML()

        init(literalCapacity: Int, interpolationCount: Int) {
            html.bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: StaticString) { html.append(literal) }

        /// Adds a text of one line. Unsafe characters, such as line breaks, are replaced.
        mutating func appendInterpolation(_ text: String) { html.append(text, .line) }

        /// Adds a text whose lines are separated by `\n`. Other unsafe characters are replaced.
        mutating func appendInterpolation(lines text: String) { html.append(text, .lines) }

        /// Adds a text that a browser sends back and does not show, such as an ID. No character is replaced, except for
        /// those that a document cannot contain.
        mutating func appendInterpolation(id text: String) { html.append(text, .id) }

        mutating func appendInterpolation(_ number: Int) { html.append("\(number)", .line) }

        mutating func appendInterpolation(_ html: HTML) { self.html += html }

        /// Adds markup if there is any.
        mutating func appendInterpolation(_ html: HTML?) { if let html { self.html += html } }

        /// Adds markup if a condition is true.
        mutating func appendInterpolation(_ html: HTML, if condition: Bool) { if condition { self.html += html } }
    }
}
