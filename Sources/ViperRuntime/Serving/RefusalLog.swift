/// A rate limit for log lines about refused clients, so that repeated connections cannot fill the log.
struct RefusalLog {
    static let interval = Duration.seconds(60)

    private var nextLine: ContinuousClock.Instant?
    private var unlogged = 0

    /// Counts a refused client.
    ///
    /// - Returns: The line to log, with the number of refusals since the last line. Nil if the last line was logged too
    ///   recently.
    mutating func line(for reason: String, at now: ContinuousClock.Instant = .now) -> String? {
        if let nextLine, now < nextLine {
            unlogged += 1
            return nil
        }
        defer { (nextLine, unlogged) = (now + Self.interval, 0) }
        return unlogged == 0 ? reason : "\(reason) (\(unlogged) more since the last such line)"
    }
}
