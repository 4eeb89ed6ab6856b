/// A generator of pauses between retries. The pause doubles after each consecutive failure, up to one minute.
struct BackOff {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)
    private var pause = first

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }

    mutating func reset() { pause = Self.first }
}
