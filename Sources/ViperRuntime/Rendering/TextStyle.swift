/// How text output is decorated.
public struct TextStyle: Sendable {
    /// Whether ANSI colours and weights are used. Off unless a terminal reads.
    public var isColoured: Bool

    /// A style.
    public init(isColoured: Bool) { self.isColoured = isColoured }

    package func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    package func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
    package func red(_ text: String) -> String { isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
}
