/// The pause before something that failed is tried again: longer after each failure in a row.
struct BackOff {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)
    private var pause = first

    /// Returns the pause before the next attempt.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }

    /// Begins with the shortest pause again.
    mutating func reset() { pause = Self.first }
}
